"""PostgreSQL: tables and the queries on them, one file per area. Rows never leave this folder."""
