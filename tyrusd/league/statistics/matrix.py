"""The little linear algebra that ratings want: by hand for two players, by numpy for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Rows: TypeAlias = list[list[float]]
"""A matrix that is being filled, cell by cell."""

Matrix: TypeAlias = Sequence[Sequence[float]]
"""A matrix that is read: the same, or an array of numpy where it is larger than BY_HAND."""

BY_HAND = 2
"""The largest matrix that needs no numpy; more raise ImportError where the extra `ladder` is missing."""


def zeros(size: int) -> Rows:
    """A square matrix of zeros."""
    return [[0.0] * size for _ in range(size)]


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric, positive definite matrix."""
    size = len(matrix)
    if size > BY_HAND:
        import numpy as np

        found: Any = np.linalg.inv(np.asarray(matrix))
        return found  # type: ignore[no-any-return]
    if size < BY_HAND:
        return [[1 / row[0]] for row in matrix]
    (a, b), (c, d) = matrix
    determinant = a * d - b * c
    return [[d / determinant, -b / determinant], [-c / determinant, a / determinant]]


def product(*matrices: Matrix) -> Matrix:
    """The product of square matrices of one size."""
    size = len(matrices[0])
    if size > BY_HAND:
        import numpy as np

        found: Any = np.linalg.multi_dot([np.asarray(matrix) for matrix in matrices])
        return found  # type: ignore[no-any-return]
    first, *others = matrices
    for second in others:
        first = [
            [sum(first[i][k] * second[k][j] for k in range(size)) for j in range(size)] for i in range(size)
        ]
    return first


def applied(matrix: Matrix, vector: list[float]) -> list[float]:
    """A matrix times a vector."""
    if len(matrix) > BY_HAND:
        import numpy as np

        found: list[float] = (np.asarray(matrix) @ np.asarray(vector)).tolist()
        return found
    return [sum(cell * value for cell, value in zip(row, vector, strict=True)) for row in matrix]


def centred(matrix: Matrix) -> Matrix:
    """The covariance of the same quantities after their mean is taken off each of them."""
    size = len(matrix)
    if size > BY_HAND:
        import numpy as np

        cells = np.asarray(matrix)
        found: Any = cells - cells.mean(1, keepdims=True) - cells.mean(0, keepdims=True) + cells.mean()
        return found  # type: ignore[no-any-return]
    rows = [sum(row) / size for row in matrix]
    columns = [sum(matrix[i][j] for i in range(size)) / size for j in range(size)]
    middle = sum(rows) / size if size else 0.0
    return [[matrix[i][j] - rows[i] - columns[j] + middle for j in range(size)] for i in range(size)]


def scaled(matrix: Matrix, factor: float) -> Matrix:
    """A matrix times a number."""
    if len(matrix) > BY_HAND:
        import numpy as np

        found: Any = factor * np.asarray(matrix)
        return found  # type: ignore[no-any-return]
    return [[factor * cell for cell in row] for row in matrix]
