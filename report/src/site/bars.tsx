import { type ComponentChildren, type JSX } from "preact";
import { type Interval } from "../judge/interval";
import { Bar, endOf } from "../page/bar";
import { Table } from "../page/table";

/** A line of the table: what it is about, its bar, and the other cells. */
interface Line {
  about: ComponentChildren;
  /** None where there is nothing to draw. */
  length: Interval | null;
  isPale?: boolean;
  cells: ComponentChildren[];
}

interface Props {
  label: string;
  /** The heads of a line's subject and of its cells. */
  heads: [about: string, ...cells: string[]];
  lines: Line[];
}

/** A table with a bar in each line, all from zero: a page without scripts can't draw for the width of a screen. */
export function Bars({ label, heads: [about, ...heads], lines }: Props): JSX.Element {
  const most = Math.max(...lines.map(({ length }) => (length ? endOf(length) : 0)));
  return (
    <div class="scroll bars" tabIndex={0} role="region" aria-label={label}>
      <Table
        heads={[about, <span class="unseen">bar</span>, ...heads]}
        rows={lines.map(({ about, length, isPale = false, cells }) => [
          about,
          length ? <Bar length={length} most={most} isPale={isPale} /> : null,
          ...cells,
        ])}
      />
    </div>
  );
}
