import { tinyProgram } from './install.ts'

/** Makes an environment of Python, with a script in it that names its Python by where it is made, as pip writes them. */
const pythonTool = (folder: string) => `
python3 -m venv --without-pip "${folder}" || exit 9
echo "#!${folder}/bin/python" > "${folder}/bin/tiny"
cat >> "${folder}/bin/tiny" <<'END'
import json, sys
answers = {
    "describe": {"name": "tiny", "version": "1.0.0", "tools": [{"name": "where", "parameters": []}]},
    "call": {"output": {"file": __file__, "args": sys.argv[1:], "mark": sys.prefix}},
}
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answers[asked["method"]]}), flush=True)
END
`

/** What stands in for each package manager on PATH: it puts things where the real one does. */
export const managerFakes: Readonly<Record<string, string>> = {
  uv: `${pythonTool('$UV_TOOL_DIR/tiny')}
mkdir -p "$UV_TOOL_BIN_DIR"
ln -s "$UV_TOOL_DIR/tiny/bin/tiny" "$UV_TOOL_BIN_DIR/tiny"`,
  pipx: `${pythonTool('$PIPX_HOME/venvs/tiny')}
mkdir -p "$PIPX_BIN_DIR"
ln -s "$PIPX_HOME/venvs/tiny/bin/tiny" "$PIPX_BIN_DIR/tiny"`,
  brew: `[ "$1" = --prefix ] && { echo "$HOME/brew/opt/tiny"; exit; }
mkdir -p "$HOME/brew/opt/tiny/bin"
cat > "$HOME/brew/opt/tiny/bin/tiny" <<'END'
${tinyProgram('of a formula')}
END`,
}
