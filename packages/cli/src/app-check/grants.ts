import type { Grants, Manifest } from '@svc/contract'

/** Every grant that a manifest asks for. */
export function allGrants({ ui: { host_api, csp = {}, browser = [] } }: Manifest): Grants {
  return {
    image_grant: true,
    upload_grant: true,
    web_grant: true,
    credentials_grant: true,
    allowed_scopes: ['shared'],
    connect_src: csp.connect_src ?? [],
    img_src: csp.img_src ?? [],
    browser,
    agent: { platform_tools: [...(host_api.agent?.tools ?? [])], inherit_host_tools: true },
  }
}
