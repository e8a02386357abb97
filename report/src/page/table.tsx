import { type ComponentChildren } from "preact";

interface Props {
  heads: ComponentChildren[];
  /** The first of each is what the row is about. */
  rows: ComponentChildren[][];
}

/** A table of a page. */
export function Table({ heads, rows }: Props): preact.JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th key={column} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([about, ...cells], place) => (
          <tr key={place}>
            <th scope="row">{about}</th>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
