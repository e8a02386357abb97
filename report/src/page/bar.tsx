import { type JSX } from "preact";
import { isKnown, type Interval } from "../judge/interval";

interface Props {
  of: Interval;
  /** The length of the whole track. */
  most: number;
  /** Otherwise that of the style. */
  colour?: string | undefined;
  isPale?: boolean;
}

/** A bar from zero with its interval, as wide as there is room. */
export function Bar({ of, most, colour, isPale = false }: Props): JSX.Element {
  const share = (length: number): string => `${((length / most) * 100).toFixed(2)}%`;
  const interval = isKnown(of) ? { left: share(of.low), width: share(of.high - of.low) } : null;
  return (
    <span class={`track ${isPale ? "pale" : ""}`}>
      <span class="bar-of" style={{ width: share(of.centre), background: colour, borderColor: colour }} />
      {interval ? <span class="ci" style={interval} /> : null}
    </span>
  );
}

/** How far a bar reaches with its interval. */
export function endOf(of: Interval): number {
  return isKnown(of) ? of.high : of.centre;
}
