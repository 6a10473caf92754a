import { built } from './row.ts'

/** `window.*` and the events of a window. */
export const window = [
  ...built('docs/reference/methods.md', {
    'window.hello.result': 'hello answers who and where the window is, its view, capabilities and geometry.',
    'window.hello.client_info': 'hello takes an optional client_info.',
    'window.hello.entry_payload': 'hello hands over the payload that the window was opened with.',
    'window.hello.runtime_state': 'hello hands over the state that the window kept.',
    'window.ready': 'ready answers an empty object.',
    'window.heartbeat': 'heartbeat answers an empty object.',
    'window.heartbeat.interval': 'The client beats every ten seconds by itself.',
    'window.set_title': 'set_title answers an empty object and gives the window its title.',
  }),
  ...built('0012-clamp-or-reject', {
    'window.set_title.length': 'A title has 1 to 120 characters; any other length is invalid_arg.',
  }),
  ...built('docs/reference/events.md', {
    'window.set_title.event': 'set_title is followed by title_changed.',
  }),
  ...built('0012-clamp-or-reject', {
    'window.resize.clamped': 'resize moves a size into the bounds of the view and answers what it became.',
  }),
  ...built('docs/reference/routes.md', {
    'window.resize.persisted': 'The size that resize answered is there after the page was reloaded.',
  }),
  ...built('docs/reference/methods.md', {
    'window.focus.raises': 'focus puts the window above the others.',
  }),
  ...built('docs/reference/events.md', {
    'window.focus.event': 'focus is followed by window_focus_changed.',
  }),
  ...built('docs/reference/methods.md', {
    'window.close.status': 'close sets the window to closed and answers an empty object.',
    'window.close.reason': 'close takes an optional reason as text.',
  }),
  ...built('docs/reference/routes.md', {
    'window.close.page_reason':
      'The reason that a page closes a window with reaches every page that shows it.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'window.page_gone':
      'A page that goes closes its windows but for those that it keeps, and those that it may show again as they are.',
    'window.gives_way':
      'Where as many windows are open as may be, the one that was silent longest, for two minutes at least, makes room.',
    'window.close.calls':
      'The calls of a window that are under way end with it, those of other windows do not.',
  }),
  ...built('0209-what-is-around-a-window-goes', {
    'window.attached': 'A page that goes closes no window that another page attached since.',
    'wall.frame.closed': 'A popup that is closed is told of soon, before the app in it came and after.',
    'bindings.element.agrees':
      'The element is not defined with another bridge, or over another element, without a word.',
  }),
  ...built('docs/reference/events.md', {
    'window.close.event': 'close is followed by close_view.',
  }),
  ...built('0194-reloads-keep-their-place', {
    'window.place':
      'A document whose app wrote an address of its own comes back with its query and hash however it is loaded again, and no error in its place.',
  }),
  ...built('docs/reference/methods.md', {
    'window.open_view.opens': 'open_view answers the window in which a further view of the app stands.',
    'window.open_link.url':
      'open_link answers the address as a browser writes it, and refuses what is not https, http, mailto or tel.',
    'window.download':
      'download offers a file of the app, or an upload of it, to its user under a name that every system takes, where the manifest declares it and the user granted it.',
    'window.download.link':
      'A link with download to what the app has or made leads there, in a document or outside of it.',
    'window.browser':
      'A frame may write to the clipboard, fill the screen and print where the manifest declares it and the user granted it, and not else.',
    'window.open_view.focuses': 'open_view of a view that is open brings that window to the front.',
    'window.open_view.payload': 'open_view hands its payload to the window that it opens.',
  }),
  ...built('0013-access-and-drafts', {
    'window.open_view.not_ready': 'open_view is bundle_not_ready when the target has no bundle yet.',
  }),
  ...built('docs/reference/methods.md', {
    'window.report_error': 'report_error takes message, stack and context and answers an empty object.',
    'window.report_error.fatal': 'A fatal report_error marks the window as crashed in the log.',
  }),
  ...built('docs/reference/states.md', {
    'states.window.close': 'The table of windows leads every open one to closed by close, and none back.',
    'states.window.crash': 'The table of windows leads to crashed by a fatal error.',
  }),
  ...built('docs/reference/events.md', {
    'event.title_changed': 'title_changed reaches the page when a title was set.',
    'event.window_focus_changed': 'window_focus_changed reaches the page when a window was focused.',
    'event.close_view': 'close_view reaches the page when a window was closed.',
  }),
] as const
