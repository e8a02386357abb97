#!/usr/bin/env python3
"""The results of the analytical queries by SQLite, over the tables that DuckDB's Python makes of the worker's own scripts.

usage: queries.py ROWS_OF_TPCH ROWS_OF_HITS
Prints the SHA-256 of each result's text, as workloads/data.toml has it, and ends with 1 where DuckDB's text is another. Money is whole cents
in SQLite, so that its sums are exact, too. Needs duckdb.
"""

import datetime
import decimal
import hashlib
import os
import pathlib
import sqlite3
import sys

import duckdb

SQL = pathlib.Path(__file__).parents[3] / "workers/data/src/sql"

# In SQLite's words, over cents and hundredths: query, and how each of its columns is shown.
MONEY = {2: "0.01", 4: "0.0001", 6: "0.000001"}
QUERIES = {
    "q1": (
        """SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (100 - l_discount)),
             sum(l_extendedprice * (100 - l_discount) * (100 + l_tax)), sum(l_quantity), sum(l_extendedprice), sum(l_discount), count(*)
           FROM lineitem WHERE l_shipdate <= date('1998-12-01', '-90 days') GROUP BY 1, 2 ORDER BY 1, 2""",
        ["text", "text", 2, 2, 4, 6, "mean", "mean", "mean", "text"],
    ),
    "q9": (
        """SELECT n_name, CAST(strftime('%Y', o_orderdate) AS INTEGER) AS year,
             sum(l_extendedprice * (100 - l_discount) - ps_supplycost * l_quantity)
           FROM lineitem JOIN part ON p_partkey = l_partkey JOIN orders ON o_orderkey = l_orderkey JOIN supplier ON s_suppkey = l_suppkey
             JOIN partsupp ON ps_partkey = l_partkey AND ps_suppkey = l_suppkey JOIN nation ON n_nationkey = s_nationkey
           WHERE p_name LIKE '%green%' GROUP BY 1, 2 ORDER BY 1, 2 DESC""",
        ["text", "text", 4],
    ),
    "q18": (
        """SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity)
           FROM lineitem JOIN orders ON o_orderkey = l_orderkey JOIN customer ON c_custkey = o_custkey
           GROUP BY o_orderkey HAVING sum(l_quantity) > 30000 ORDER BY o_totalprice DESC, o_orderdate LIMIT 100""",
        ["text", "text", "text", "text", 2, 2],
    ),
    "scan": (
        """SELECT l_shipmode, count(*), sum(l_quantity), sum(l_extendedprice), sum(l_discount), sum(l_tax), min(l_shipdate), max(l_receiptdate)
           FROM lineitem GROUP BY 1 ORDER BY 1""",
        ["text", "text", 2, 2, 2, 2, "text", "text"],
    ),
    "group": ("SELECT url, count(*) AS visits FROM hits GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10", ["text", "text"]),
}
KEYS = {
    "part": "p_partkey",
    "orders": "o_orderkey",
    "supplier": "s_suppkey",
    "customer": "c_custkey",
    "nation": "n_nationkey",
    "partsupp": "ps_partkey, ps_suppkey",
}


def as_sqlite(value):
    if isinstance(value, decimal.Decimal):
        return int(value * 100)
    return value.isoformat() if isinstance(value, datetime.date) else value


def copied(tables):
    """A database of SQLite with the same rows."""
    database = sqlite3.connect(":memory:")
    for (table,) in tables.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        rows = tables.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in rows.description]
        database.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        places = ", ".join("?" * len(names))
        while part := rows.fetchmany(50_000):
            database.executemany(f"INSERT INTO {table} VALUES ({places})", ([as_sqlite(value) for value in row] for row in part))
        if table in KEYS:
            database.execute(f"CREATE UNIQUE INDEX {table}_key ON {table} ({KEYS[table]})")
    return database


def shown(value, how, count):
    if how == "text":
        return str(value)
    if how == "mean":
        # One rounding, as in DuckDB.
        return repr(value / (100 * count))
    return f"{decimal.Decimal(value) * decimal.Decimal(MONEY[how]):f}"


def by_sqlite(database, name):
    query, columns = QUERIES[name]
    rows = database.execute(query).fetchall()
    return "".join("|".join(shown(value, how, row[-1]) for value, how in zip(row, columns)) + "\n" for row in rows)


def by_duckdb(tables, name, file):
    rows = tables.execute((SQL / f"{name}.sql").read_text().replace("{file}", file)).fetchall()
    return "".join("|".join(str(value) for value in row) + "\n" for row in rows)


def made(scripts, rows):
    tables = duckdb.connect(":memory:", config={"threads": "1"})
    for script in scripts:
        tables.execute((SQL / f"{script}.sql").read_text().replace("{rows}", rows))
    return tables


def main():
    of_tpch, of_hits = sys.argv[1:]
    file = f"/proc/self/fd/{os.memfd_create('parquet')}"
    agree = True
    for scripts, rows, names in [(["draws", "tpch"], of_tpch, ["q1", "q9", "q18", "scan"]), (["draws", "hits"], of_hits, ["group"])]:
        tables = made(scripts, rows)
        if "tpch" in scripts:
            tables.execute(f"COPY lineitem TO '{file}' (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)")
        database = copied(tables)
        for name in names:
            texts = [by_sqlite(database, name), by_duckdb(tables, name, file)]
            digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
            agree &= digests[0] == digests[1]
            print(name, rows, digests[0], "" if digests[0] == digests[1] else f"but DuckDB {digests[1]}\n{texts[0][:600]}\n{texts[1][:600]}", flush=True)
    return 0 if agree else 1


sys.exit(main())
