"use strict";
/* Sorts a table by the column whose head is chosen; without it the table stays as it was written. */
(function () {
  if (typeof document === "undefined") {
    return;
  }

  function order(row, place) {
    var cell = row.cells[place];
    var given = cell.getAttribute("data-order");
    var words = given === null ? cell.textContent.replace(/\u202f/g, "").replace("\u2212", "-") : given;
    return words !== "" && isFinite(words) ? Number(words) : words.toLowerCase();
  }

  function compare(one, two) {
    if (typeof one === typeof two) {
      return one < two ? -1 : one > two ? 1 : 0;
    }
    return typeof one === "number" ? -1 : 1;
  }

  function sort(table, head, place) {
    var down = head.getAttribute("aria-sort") !== "descending";
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (each) {
      each.removeAttribute("aria-sort");
    });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    rows.sort(function (one, two) {
      return compare(order(one, place), order(two, place)) * (down ? -1 : 1);
    }).forEach(function (row) {
      table.tBodies[0].appendChild(row);
    });
  }

  Array.prototype.forEach.call(document.querySelectorAll("table.sortable"), function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, place) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.title = (head.title ? head.title + "; " : "") + "sort";
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, head, place); });
    });
  });
})();
