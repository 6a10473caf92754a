import type { ReactNode } from 'react'

const icon = (paths: ReactNode) => (
  <svg
    aria-hidden="true"
    fill="none"
    height="18"
    stroke="currentColor"
    strokeLinecap="round"
    strokeLinejoin="round"
    strokeWidth="1.7"
    viewBox="0 0 24 24"
    width="18"
  >
    {paths}
  </svg>
)

/** The page's icons: 24 units square, drawn in the colour of the text. */
export const icons = {
  close: icon(<path d="M6 6l12 12M18 6L6 18" />),
  maximise: icon(<rect height="12" rx="1.5" width="12" x="6" y="6" />),
  restore: icon(
    <>
      <rect height="10" rx="1.5" width="10" x="5" y="9" />
      <path d="M9 6.5A1.5 1.5 0 0 1 10.5 5h7A1.5 1.5 0 0 1 19 6.5v7a1.5 1.5 0 0 1-1.5 1.5" />
    </>,
  ),
  apps: icon(
    <>
      <rect height="6" rx="1.5" width="6" x="5" y="5" />
      <rect height="6" rx="1.5" width="6" x="13" y="5" />
      <rect height="6" rx="1.5" width="6" x="5" y="13" />
      <rect height="6" rx="1.5" width="6" x="13" y="13" />
    </>,
  ),
  more: icon(<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="3" />),
  find: icon(
    <>
      <circle cx="11" cy="11" r="6" />
      <path d="M15.5 15.5L20 20" />
    </>,
  ),
  minimise: icon(<path d="M6 18h12" />),
  chat: icon(
    <path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 17h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 5 5z" />,
  ),
  jobs: icon(
    <>
      <path d="M5.5 4h13M5.5 20h13" />
      <path d="M7.5 4v3.2L12 12l4.5-4.8V4M7.5 20v-3.2L12 12l4.5 4.8V20" />
    </>,
  ),
  sessions: icon(
    <>
      <rect height="11" rx="3" width="15" x="4.5" y="8" />
      <path d="M12 8V4.5M9.2 12.3v1.9M14.8 12.3v1.9M2 12.5v2M22 12.5v2" />
    </>,
  ),
  bell: icon(
    <>
      <path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5z" />
      <path d="M10 20.5h4" />
    </>,
  ),
  auto: icon(
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
    </>,
  ),
  light: icon(
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </>,
  ),
  dark: icon(<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />),
  copy: icon(
    <>
      <rect height="11" rx="2" width="11" x="8.5" y="8.5" />
      <path d="M15.5 8.5V6a1.5 1.5 0 0 0-1.5-1.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h2.5" />
    </>,
  ),
  alert: icon(
    <>
      <path d="M12 4l9 15.5H3z" />
      <path d="M12 10v4M12 16.8v.2" />
    </>,
  ),
  plus: icon(<path d="M12 5.5v13M5.5 12h13" />),
  windows: icon(
    <>
      <rect height="11" rx="2" width="13" x="3.5" y="4.5" />
      <path d="M8 19.5h10.5a2 2 0 0 0 2-2V9" />
    </>,
  ),
} as const
