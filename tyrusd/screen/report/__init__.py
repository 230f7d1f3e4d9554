"""What a run comes to, as files for people and programs: one page of HTML, a JSON object, a CSV table."""
