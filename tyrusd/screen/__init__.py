"""What people see: views as text; pure, imports rules only."""
