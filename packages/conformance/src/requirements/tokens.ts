import { built } from './row.ts'

/** Tokens, sign-ins and who may call. */
export const tokens = [
  ...built('0011-windows-and-their-tokens', {
    'token.window.claims': 'A window token names the window (wid), its user, app, version and scopes.',
    'token.window.ttl': 'A window token lives two minutes.',
    'token.window.audience': 'A window token is made for svc-app-window; any other audience is refused.',
  }),
  ...built('docs/reference/errors.md', {
    'token.window.expired': 'A call under an expired window token is invalid_token.',
  }),
  ...built('SECURITY.md', {
    'token.window.signature': 'A window token whose signature does not fit is invalid_token.',
  }),
  ...built('0004-order-of-checks', {
    'token.window.wid': 'A token of another window than the one the envelope names is invalid_token.',
  }),
  ...built('docs/reference/routes.md', {
    'token.window.minted': 'Opening a window mints its token.',
  }),
  ...built('docs/reference/openapi.json', {
    'token.window.header': 'The token travels in the header X-Svc-App-Token.',
  }),
  ...built('docs/reference/routes.md', {
    'token.window.cookie': 'The token counts only together with the cookie of the user that it names.',
  }),
  ...built('0018-handshake-by-ports', {
    'token.window.hidden': 'Code of the bundle never gets to see the token.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'token.session.not_in_browser': 'No session token reaches the browser.',
    'token.session.audience': 'A session token is a JWT for aps-llm of the type svc_app_session.',
    'token.session.claims': 'A session token carries the session and its submode and fixed grant.',
    'token.session.ttl': 'A session token lives about ten minutes, whatever the life of its session.',
    'token.session.reminted': 'Each run, refresh and resume gets a fresh session token.',
  }),
  ...built('0039-sessions-over-http', {
    'token.session.signature': 'A session token whose signature does not fit is invalid_token.',
    'token.session.lapsed': 'A session token that has run out is told from a forged one.',
    'session.delete.identity': 'Deleting a session asks who the caller is and for no session token.',
  }),
  ...built('docs/reference/manifest.md', {
    'access.declared.method': 'A method needs its name, or *, in the list of its namespace in ui.host_api.',
    'access.declared.star': 'The entry * admits every method of its namespace and of no other.',
  }),
  ...built('0004-order-of-checks', {
    'access.window.always': 'Methods of window need no declaration.',
  }),
  ...built('docs/reference/manifest.md', {
    'access.agent.object':
      'The agent namespace is admitted by its object form: one enabled submode is enough.',
  }),
  ...built('0004-order-of-checks', {
    'access.undeclared': 'What the manifest does not declare is permission_denied.',
  }),
  ...built('docs/reference/manifest.md', {
    'access.permissions.ignored': 'The legacy permissions list of a manifest admits nothing.',
  }),
  ...built('docs/reference/methods.md', {
    'access.image_grant': 'image.* needs the declaration and the image grant of the install.',
    'access.upload_grant': 'upload.* needs the declaration and the upload grant of the install.',
  }),
  ...built('docs/guides/files.md', {
    'access.files.scope': 'A files scope that is not the default needs an entry in allowed_scopes.',
  }),
  ...built('docs/guides/other-apps-and-web.md', {
    'access.credentials_grant': 'credentials.* needs the declaration and the credentials grant.',
    'access.web_grant': 'web.* needs the declaration and the web grant of the install.',
  }),
  ...built('0010-storage', {
    'access.storage.scope': 'A storage scope that is not the default needs an entry in allowed_scopes.',
  }),
  ...built('0013-access-and-drafts', {
    'access.tool.declared':
      'A tool may be called only if its plugin is required or optional in the manifest.',
    'access.tool.required_star': 'The reference required:* stands for every required plugin.',
    'access.tool.optional_star': 'The reference optional:* stands for every optional plugin.',
    'access.tool.bare': 'A bare tool_id is a reference to that plugin.',
    'access.tool.required_id': 'required:<id> lets a plugin through only where it is required.',
    'access.tool.optional_id': 'optional:<id> lets a plugin through only where it is optional.',
    'access.tool.bundled': 'bundled:<handle> refers to a declared plugin by its handle.',
    'access.tool.suffix': 'Any reference whose end is :<tool_id> refers to that plugin.',
    'access.tool.no_list': 'With no or an empty host_api.tools every declared plugin may be called.',
    'access.tool.list_is_intersection':
      'tools.list shows the plugins both declared and let through, no more.',
    'access.bound_version': 'Access is judged by the manifest of the version that the window is bound to.',
    'access.draft.reprojected':
      'A pushed draft changes what open windows of draft installs may call at once.',
    'access.grants.install_only':
      'Grants are written when the app is installed and at no other time, but for which plugins of others may run.',
  }),
  ...built('0040-what-plugins-ask', {
    'access.plugin.no_bearer': 'A plugin process is never given a bearer token.',
  }),
] as const
