import { type JSX } from "preact";
import { isKnown, type Interval } from "../judge/interval";

interface Props {
  length: Interval;
  /** The length of the whole track. */
  most: number;
  /** Otherwise that of the style. */
  colour?: string | undefined;
  isPale?: boolean;
}

/** A bar from zero with its interval, as wide as there is room. */
export function Bar({ length, most, colour, isPale = false }: Props): JSX.Element {
  const percent = (part: number): string => `${((part / most) * 100).toFixed(2)}%`;
  const { low, centre, high } = length;
  const interval = isKnown(length) ? { left: percent(low), width: percent(high - low) } : null;
  return (
    <span class={`track ${isPale ? "pale" : ""}`}>
      <span class="bar-of" style={{ width: percent(centre), background: colour, borderColor: colour }} />
      {interval ? <span class="ci" style={interval} /> : null}
    </span>
  );
}

/** How far a bar reaches with its interval. */
export function endOf(length: Interval): number {
  return isKnown(length) ? length.high : length.centre;
}
