// A picture, wherever it is drawn: in a page, or by the program without a browser.

import { type Data } from "../data";
import { type View } from "../view";

export interface Theme {
  ink: string;
  muted: string;
  faint: string;
  paper: string;
  /** Colours of groups, the baseline's first. */
  groups: string[];
}

// Okabe and Ito's colours, which the colour-blind can distinguish, darker or lighter so that each has contrast to its paper.
export const LIGHT: Theme = {
  ink: "#1b1f24",
  muted: "#59636e",
  faint: "#dfe3e8",
  paper: "#ffffff",
  groups: ["#6b6f76", "#0072b2", "#c14d00", "#007a5a", "#a8377f", "#7a5c00", "#2f2a85", "#8a1c1c"],
};
export const DARK: Theme = {
  ink: "#e8eaed",
  muted: "#a3acb6",
  faint: "#33393f",
  paper: "#15181c",
  groups: ["#a6acb5", "#56b4e9", "#f0883e", "#2dc79b", "#e28bc2", "#e6c229", "#9d97ff", "#ff8f8f"],
};

/** Symbols beside colours: nobody has to tell groups by colour alone. */
export const SYMBOLS = [
  "circle",
  "square",
  "triangle",
  "diamond",
  "star",
  "cross",
  "wye",
  "hexagon",
] as const;

/** Where a picture is drawn. */
export interface Canvas {
  document: Document;
  width: number;
  theme: Theme;
  /** Whether a reader can point at things. */
  interactive: boolean;
  /** Whether the picture goes where nothing else says its title. */
  isTitled: boolean;
}

/** Exact values of a picture. */
export interface Table {
  heads: string[];
  rows: string[][];
}

export interface Chart {
  /** For files and links: letters, digits and hyphens. */
  name: string;
  title: string;
  /** The workload, where a page shows one at a time. */
  about?: string;
  /** The line that a page's reader opens to see it, where it is long. */
  fold?: string;
  /** How it is to be read. */
  caption: string;
  /** Conclusions from it, and what must be known with it. */
  notes?: string[];
  /** Shown with its values. */
  details?: string[];
  /** Its contents, for those who can't see it. */
  summary: string;
  /** Made when it is asked for: there are many. */
  table: () => Table;
  draw(canvas: Canvas): SVGSVGElement;
}

/** A picture of a report, or none where there is nothing to show. */
export type MakeChart = (data: Data, view: View) => Chart | null;

/** So long a file's name may be without its end. */
const LONGEST_SLUG = 72;

/** Small letters, digits and hyphens of some words. */
export function slug(...words: string[]): string {
  const letters = words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return letters.slice(0, LONGEST_SLUG).replace(/^-+|-+$/g, "");
}
