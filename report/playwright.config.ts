import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  globalSetup: "./tests/support/setup.ts",
  outputDir: "test-results",
  reporter: "line",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A busy machine makes tests slow and not wrong.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      // Nothing that the browser does of its own accord, and nothing that a machine without a display lacks.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
