// Servers: requests a second, and for each watt.

import { figureOf, type Data } from "../data";
import { type View } from "../view";
import { throughput } from "./bars";
import { type Chart } from "./chart";
import { latencies } from "./latency";
import { wattBars } from "./watts";

const REQUESTS = "requests/s";

function isService(data: Data, row: number): boolean {
  return ["http", "database"].includes(data.rows[row]?.family ?? "");
}

/** Whether a row is of a server: its operations are requests. */
export function isServer(data: Data, row: number): boolean {
  if (isService(data, row)) return true;
  const units = data.cells.flatMap((cells) => figureOf(data, cells[row])?.unit ?? []);
  return units.length > 0 && units.every((unit) => unit === REQUESTS);
}

/** The unit of a row's figures: a server's operations are requests. */
export function served(data: Data, row: number, unit: string): string {
  return isService(data, row) ? unit.replace(/^ops\/s/, REQUESTS) : unit;
}

export function servers(data: Data, view: View): Chart[] {
  const rows = data.rows.map((_, row) => row).filter((row) => isServer(data, row));
  return [
    throughput(data, view, { name: "requests", what: "Servers" }, rows) ?? [],
    wattBars(data, view, { name: "requests-per-watt", what: "Servers" }, rows) ?? [],
    latencies(data, view),
  ].flat();
}
