import { Button, createTheme } from '@mantine/core'

/** The look of the page's controls; colours of surfaces are in `styles/page.css`. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
  components: {
    ActionIcon: { defaultProps: { color: 'gray', variant: 'subtle' } },
    TextInput: { defaultProps: { autoComplete: 'off' } },
    Button: Button.extend({
      defaultProps: { size: 'compact-sm', variant: 'default' },
      // A plain button on our surfaces: the grey of the library has another hue in the dark.
      vars: (_, { variant }) => ({
        root:
          variant === 'default'
            ? {
                '--button-bg': 'var(--surface)',
                '--button-hover': 'var(--surface-hover)',
                '--button-bd': '1px solid var(--line)',
                '--button-color': 'var(--ink)',
              }
            : {},
      }),
    }),
    // Inside its landmark, for screen readers; at once, because a fading text is hard to read.
    Tooltip: { defaultProps: { openDelay: 500, withinPortal: false, transitionProps: { duration: 0 } } },
  },
})
