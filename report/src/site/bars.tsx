import { type ComponentChildren, type JSX } from "preact";
import { isKnown, type Interval } from "../judge/interval";

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
  /** Of what a line is about, and of its cells. */
  heads: [about: string, ...cells: string[]];
  lines: Line[];
}

/** A table with a bar in each line, all from zero. Nothing has to be drawn for the screen that there is. */
export function Bars({ label, heads: [about, ...heads], lines }: Props): JSX.Element {
  const end = (of: Interval): number => (isKnown(of) ? of.high : of.centre);
  const most = Math.max(...lines.map(({ length }) => (length ? end(length) : 0)));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">{about}</th>
            <th scope="col">
              <span class="unseen">bar</span>
            </th>
            {heads.map((head, column) => (
              <th key={column} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ about, length, isPale, cells }, place) => (
            <tr key={place}>
              <th scope="row">{about}</th>
              <td>{length ? <Bar of={length} most={most} isPale={isPale ?? false} /> : null}</td>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ of, most, isPale }: { of: Interval; most: number; isPale: boolean }): JSX.Element {
  const share = (length: number): string => `${((length / most) * 100).toFixed(2)}%`;
  const interval = isKnown(of) ? { left: share(of.low), width: share(of.high - of.low) } : null;
  return (
    <span class={`track ${isPale ? "pale" : ""}`}>
      <span class="bar-of" style={{ width: share(of.centre) }} />
      {interval ? <span class="ci" style={interval} /> : null}
    </span>
  );
}
