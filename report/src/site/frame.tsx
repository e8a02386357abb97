import { type ComponentChildren, type JSX } from "preact";
import { CARD } from "../charts/card";
import { Headline } from "../page/headline";

/** A program that a page may run, and nothing else. */
export interface Script {
  text: string;
  /** Its SHA-256 in base64. */
  hash: string;
}

interface Props {
  title: string;
  /** The style of all pages. */
  style: string;
  script?: Script;
  /** Whether it is the first page; the others lie in a folder beside it. */
  isHome: boolean;
  /** Its description, as other sites show it beside a link. */
  description?: string;
  children: ComponentChildren;
}

/** The frame that all pages of a site have. They ask for nothing, and nothing runs in them but what the first one finds workloads by. */
export function Frame({ title, style, script, isHome, description, children }: Props): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content={`default-src 'none'; ${script ? `script-src 'sha256-${script.hash}'; ` : ""}style-src 'unsafe-inline'; img-src data:; base-uri 'none'`}
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="sizeup" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        {description === undefined ? null : <Tags title={title} description={description} />}
        {/* eslint-disable-next-line no-restricted-syntax -- the program's own style, in which `>` is no text */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <header>
          <p class="brand">{isHome ? "sizeup" : <a href="../index.html">sizeup</a>}</p>
          <h1>
            <Headline text={title} />
          </h1>
        </header>
        <main>{children}</main>
        {/* eslint-disable-next-line no-restricted-syntax -- the program's own, in which the build looks for an end of the element */}
        {script ? <script dangerouslySetInnerHTML={{ __html: script.text }} /> : null}
      </body>
    </html>
  );
}

function Tags({ title, description }: { title: string; description: string }): JSX.Element {
  const tags = { title, description, type: "website", image: `${CARD.name}.png` };
  return (
    <>
      <meta name="description" content={description} />
      {Object.entries(tags).map(([name, content]) => (
        <meta key={name} property={`og:${name}`} content={content} />
      ))}
    </>
  );
}
