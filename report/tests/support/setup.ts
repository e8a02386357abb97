// Makes the reports once a test run, in a folder that is removed behind it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeReports } from "./reports";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "sizeup-report-"));
  process.env.SIZEUP_REPORTS = folder;
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    makeReports(folder);
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
