import { describe, expect, it } from 'vitest'
import { isSecretPath, whyLeftOut } from './left-out.ts'

describe('what is left out of a bundle', () => {
  it.each(
    `.env .env.local .env.production .ENV prod.env .env.example .envrc .dev.vars .npmrc .yarnrc.yml .pypirc .netrc _netrc
    .git-credentials .git/config .gitconfig .svn/entries .hg/hgrc .ssh/id_rsa .aws/credentials .kube/config .docker/config.json
    .azure/token .gnupg/secring.gpg .pgpass .my.cnf .htpasswd .s3cfg .boto .sentryclirc .vault-token server.pem keys/tls.key
    cert.p12 a.pfx AuthKey_1.p8 my.jks release.keystore putty.ppk vault.kdbx client.ovpn id_rsa id_rsa.pub id_ed25519
    id_ecdsa_sk known_hosts service-account.json service-account-prod.json serviceAccountKey.json service_account.json
    shop-firebase-adminsdk-x1.json client_secret_12.json credentials.json credentials secrets.yaml secrets.json .secrets
    terraform.tfstate prod.tfvars terraform.tfstate.backup .bash_history .node_repl_history wp-config.php kubeconfig
    local.settings.json env.production prod.kubeconfig kubeconfig.yaml a.publishsettings keystore.properties wallet.dat
    passwords.txt private_key.txt api_key.txt key.pem.txt cookies.txt rootkey.csv ada_accessKeys.csv new_user_credentials.csv
    bitwarden_export_1.json github-recovery-codes.txt gcp-key.json appsettings.Production.json credentials.yml.enc
    terraform.tfstate.1.backup site.har a.heapsnapshot assets/.env assets//.env/.`
      .trim()
      .split(/\s+/),
  )('%s, as a secret', (path) => {
    expect(whyLeftOut(path)).toBe('files of this kind hold secrets')
    expect(isSecretPath(path)).toBe(true)
  })

  it.each([
    ...`.DS_Store ._main.js .vscode/settings.json .idea/workspace.xml .gitignore .gitattributes .editorconfig .nfs0001
    .main.js.swp .#main.js .cache/a .wrangler/state .vercel/project.json .svelte-kit/a .turbo/a.log .Trash-1000/a
    .directory .fuse_hidden1 .pytest_cache/a .nyc_output/a .github/workflows/ci.yml .bundle/config`
      .trim()
      .split(/\s+/),
    ...`Thumbs.db desktop.ini ehthumbs.db __MACOSX/a node_modules node_modules/a/index.js bower_components/a index.html~
    #main.js# main.js.bak main.js.orig main.js.rej a.tmp core core.1234 app.core bash.stackdump a.dmp npm-debug.log
    debug.log __pycache__/a.pyc a.pyc app.code-workspace app.sublime-project app.iml CVS/Root ~$report.docx main.js.swp`
      .trim()
      .split(/\s+/),
    '$RECYCLE.BIN/a',
  ])('%s, and it is no secret', (path) => {
    expect(whyLeftOut(path)).toEqual(expect.any(String))
    expect(isSecretPath(path)).toBe(false)
  })

  it.each(
    `index.html main.js assets/core/main.js core/index.js env.js environment.js keys.js key.svg monkey.png secret-garden.png
    secrets/map.png git.svg .well-known/security.txt level.map main.js.map data.json config.json token.css a.env.js
    service.json account.json tmp/a.js log.js logo.svg backup.svg node_modules.html identity.svg id_card.png`
      .trim()
      .split(/\s+/),
  )('not %s', (path) => {
    expect(whyLeftOut(path)).toBeNull()
  })
})
