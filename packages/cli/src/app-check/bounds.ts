/** What the checks of apps wait for, and how much they do. */
export const bounds = {
  /** The longest that an app may take to connect, in ms. */
  START_MS: 10_000,
  /** The longest that one check may take, in ms. */
  CHECK_MS: 60_000,
  /** The longest that an app may take to show the next frame, in ms. */
  FRAME_MS: 1_000,
  /** The longest task of the main thread, in ms. */
  TASK_MS: 1_000,
  /** How long the app may show nothing while its host is slow, in ms. */
  BLANK_MS: 2_000,
  /** The longest that calls may take to come to an end, in ms. */
  SETTLE_MS: 10_000,
  /** The longest that the page may take to reach a host that is back, in ms. */
  BACK_MS: 15_000,
  /** After this long without a request, what a press began is taken to be done, in ms. */
  QUIET_MS: 80,
  /** The longest that is waited for what one press began, in ms. */
  PRESS_MS: 5_000,
  /** The longest that one click or text takes, in ms. */
  ACT_MS: 3_000,
  /** The longest that is spent on finding what makes an app call, in ms. */
  EXPLORE_MS: 20_000,
  /** The most controls that are used. */
  PRESSES: 24,
  /** The most controls that make calls which are used again under a fault. */
  WORKING: 3,
  /** The longest that a step of `svc.check.ts` may take, in ms. */
  STEP_MS: 10_000,
  /** The most controls that Tab goes through. */
  TABS: 60,
  /** The size of a window, in CSS pixels. */
  WINDOW: { width: 1_000, height: 720 },
  /** The narrowest window: 1280 pixels at 400 %, as WCAG 1.4.10 has it. */
  NARROW: { width: 320, height: 640 },
  /** A window in which text is twice as large, as WCAG 1.4.4 has it. */
  LARGE_TEXT: { width: 640, height: 720 },
  /** The most things of a kind that a report names. */
  NAMED: 5,
} as const
