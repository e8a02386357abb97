// Figures' values in the columns of the program's registry.

import { type Data, type Figure } from "../data";
import { fourDigits, ghz, percent } from "./numbers";
import { MIB } from "./unit";

const FORMS: Record<Data["columns"][number]["form"], (value: number) => string> = {
  count: (count) => (count < 1000 ? String(count) : fourDigits(count)),
  quantity: fourDigits,
  memory: (bytes) => fourDigits(bytes / MIB),
  share: (share) => percent(share),
  clock: ghz,
};

/** A column that people read. */
export interface KnownColumn {
  heading: string;
  /** Empty where it is not known. */
  inWords: (figure: Figure) => string;
}

/** The columns in which one of these figures has something. */
export function knownColumns(data: Data, figures: Figure[]): KnownColumn[] {
  return data.columns.flatMap(({ heading, form }, place) => {
    const value = (figure: Figure): number | null => figure.values[place] ?? null;
    if (heading === null || figures.every((figure) => value(figure) === null)) return [];
    const inWords = (figure: Figure): string => {
      const known = value(figure);
      return known === null ? "" : FORMS[form](known);
    };
    return [{ heading, inWords }];
  });
}
