"""What people read: tables and pages."""
