// A report's title and text, as other sites show them beside a link.

import { type Data } from "../data";
import { defaultView } from "../view";
import { answer } from "./answer";
import { nameOf } from "./names";
import { cut } from "./numbers";
import { title } from "./title";

export interface Description {
  title: string;
  text: string;
}

/** Longer ones are cut by those who show them. */
const MOST = { title: 120, text: 200 };

/** The headline, and as many of the figures behind it as have room. */
export function description(data: Data): Description {
  const { headline, tiles } = answer(data, defaultView(data));
  const parts = [
    ...tiles.map(({ about, group, value }) =>
      [`${about}:`, group === null ? "" : nameOf(data, group, 40), value].filter(Boolean).join(" "),
    ),
    title(data),
  ];
  const text = parts.reduce((sum, part) => {
    const longer = sum ? `${sum}; ${part}` : part;
    return longer.length <= MOST.text ? longer : sum;
  }, "");
  return { title: cut(headline, MOST.title), text };
}
