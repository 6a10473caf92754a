import { built } from './row.ts'

/** What strangers may reach: by what they write, by the tools they call, and at whose cost. */
export const reach = [
  ...built('0111-each-answer-is-one-line', {
    'answer.one_line':
      'Text that a stranger wrote is one line where answers are lines, whatever white space its JSON has.',
    'wall.answers':
      'No answer, event, frame or line of a log holds another: what a stranger says ends no line.',
  }),
  ...built('0195-pages-of-other-sites', {
    'route.cors':
      'A page of a listed origin at another site may use every route that a bridge uses and read its refusals; no other page may.',
    'bridge.page_token':
      'A bridge with a token sends it in place of cookies, asks for another when it is old or refused, once at a time, and says why where none comes.',
    'sign_in.page':
      'A short-lived token that the backend of a page makes for its user signs in requests, event streams and sockets, by one algorithm, for one audience, from listed pages alone.',
  }),
  ...built('0204-what-outlives-its-sign-in', {
    'sign_in.page_ends':
      'What is open with a page token ends with it, and the page goes on with the next one without a loss.',
    'bridge.place':
      'A page keeps its place in the event stream where something on the way drops the header for that.',
  }),
  ...built('0196-where-a-page-sees-the-host', {
    'reach.address':
      'Policies, framing, URLs and cookies go by one reading of where a page sees the host; where a browser would show nothing, the opening of a window is refused with the line to change.',
  }),
  ...built('0058-one-rule-for-every-way-to-a-tool', {
    'access.tool.every_way':
      'Each way of an app to a tool comes to the same: listing, calls, jobs, sessions of both submodes, and what a plugin asks within its call.',
    'access.tool.fixed':
      'A plugin of the operator is a fixed client only where the app declares it, as for tools.invoke.',
    'run.tool_calls':
      'A model calls so many tools a step and a run; it reads of each further call that it was not made.',
  }),
  ...built('0110-approval-of-destructive-tools', {
    'approval.asked':
      'A tool that its plugin marks as destructive waits for the yes of its user, who sees the arguments, or how much of them is not shown.',
    'approval.refused': 'Without that yes, in its time, the call is permission_denied and nothing is done.',
    'approval.remembered':
      'Always is for one tool in one app, is not said to arguments that were cut, and ends with its install at the latest.',
    'approval.taken_back':
      'Its user sees what an app was allowed for good, and takes it back while the app stays.',
    'approval.shell':
      'The shell asks with the arguments, brings the keyboard to the question and to none of its answers, and under Manage takes an always back.',
    'approval.own': 'Only the user of the call answers, on a page; what waits of an app is bounded.',
    'approval.mcp':
      'A tool of an MCP server is marked where its destructiveHint is true, and by no other hint.',
    'approval.platform':
      'A tool of the host that writes or deletes waits for that yes where a model calls it, and not where the app calls the method.',
    'approval.none': 'An operator may have nobody asked.',
  }),
  ...built('0058-one-rule-for-every-way-to-a-tool', {
    'window.opened_by': 'A window says which app opened it, or gave it its payload last.',
    'window.cap.app': 'The open windows of one app are bounded, apart from those of the user.',
  }),
  ...built('0030-quotas-by-day', {
    'web.quota': 'Searches and pages are counted by user, app and day, those of models too.',
  }),
  ...built('0066-reports-of-browsers', {
    'wall.reports':
      'What browsers report of the page and of bundles is counted, and logged in a line each without paths, queries and tickets; bounded in bytes, by body, by address and by minute, those that name a window apart.',
  }),
  ...built('SECURITY.md', {
    'wall.logs.errors': 'Errors that bundles report are logged cut, and so many a minute of a window.',
  }),
  ...built('0019-development-sign-in', {
    'wall.origin.twin': 'The plain-text twin of a listed https origin is refused.',
  }),
  ...built('0058-one-rule-for-every-way-to-a-tool', {
    'storage.uninstalled':
      'The values that a user has in an app go when it is uninstalled; shared ones stay.',
  }),
] as const
