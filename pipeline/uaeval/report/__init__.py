"""Reports for people: tables, Markdown and HTML pages."""
