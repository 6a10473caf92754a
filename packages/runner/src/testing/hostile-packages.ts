/**
 * What code of a package tries while it is installed, such as a wheel's `.pth` file or a build backend: words of a shell, in
 * a folder of its own. `$0` is a folder of the machine that each attack has for itself, with a file `secret`, a program
 * `path/tool` and an install `installs/other/index.js`; `$1` the pid of the runner; `$2` a port of the machine, at which
 * something listens by TCP and UDP; `$3` a socket of the machine, `$4` one without a file. An attack has succeeded if it
 * prints something, or if its folder is another afterwards.
 */
export const thefts: Readonly<Record<string, string>> = {
  'reads a file of its user': 'cat $0/secret',
  'reads a file over a link': 'ln -s $0/secret link && cat link',
  'reads a file over a link in its folder to a folder': 'ln -s $0 there && cat there/secret',
  'links a file of its user into the install': 'ln $0/secret $0/linked && cat $0/linked',
  'copies what its user has into the install': 'cp -r $0 copied && cat copied/secret',
  'reads a file by the root of another process': 'cat /proc/$1/root$0/secret',
  'reads a file by the folder of another process': 'cat /proc/$1/cwd/package.json',
  'lists what its user has': 'ls $0 | grep secret',
  'lists the homes of the machine': 'ls -a /root /home/* | grep -v : | grep .',
  'reads the passwords of the machine': 'cat /etc/shadow',
  'reads the install of another': 'cat $0/installs/other/index.js',
  'lists the installs of others': 'ls $0/installs | grep other',
  'writes beside its folder': 'touch $0/stolen',
  'writes into a folder over a link': 'ln -s $0 link2 && touch link2/stolen',
  'changes the install of another': 'echo more >> $0/installs/other/index.js',
  'replaces the install of another by a link': 'ln -sfn /etc $0/installs/other',
  'removes the install of another': 'rm -r $0/installs/other',
  'puts a program on the way of its user': 'echo more > $0/path/stolen',
  'changes a program of its user': 'echo more >> $0/path/tool',
  'moves a file of its user': 'mv $0/secret $0/stolen',
  'opens a file of its user to everybody': 'chmod 777 $0/secret',
  'sets a bit on a program of its user': 'chmod u+s $0/path/tool',
  'reads the environment of the runner': 'grep -a PATH= /proc/$1/environ',
  'sees the runner among the processes': 'grep -l . /proc/$1/comm',
  'sends the runner a signal': 'kill -0 $1 && echo there',
  'asks a port of the machine': 'ask tcp 127.0.0.1 $2',
  'sends to a port of the machine': 'ask udp 127.0.0.1 $2',
  'asks a socket of the machine': 'ask unix "$3"',
  'asks a socket without a file': 'ask abstract "$4"',
  'asks a port of the machine by the proxy': 'ask proxy 127.0.0.1:$2',
  'asks a page of the machine by the proxy': 'ask page http://127.0.0.1:$2/',
  'makes users of its own': 'unshare --user --map-root-user true && echo mapped',
  'leaves a process behind':
    'setsid sh -c "exec 3>&- 4>&- 5>&-; while sleep 0.1; do echo on >> $0/alive; done" > left 2>&1 < /dev/null & sleep 0.3; cat $0/alive',
}

/** How `thefts` ask: over sockets, and over the proxy of the installer where it has one. */
export const ask = `
import os, socket, sys
kind, to = sys.argv[1], sys.argv[2:]
def said(family, type, address, words):
    with socket.socket(family, type) as one:
        one.settimeout(2)
        one.connect(address)
        one.sendall(words)
        return one.recv(100)
def by_proxy(words):
    proxy = os.environ.get('http_proxy')
    address = ('127.0.0.1', int(proxy.rsplit(':', 1)[1])) if proxy else ('127.0.0.1', int(to[0].split(':')[-1].strip('/')))
    answer = said(socket.AF_INET, socket.SOCK_STREAM, address, words)
    return answer if b'a machine' in answer or b' 200 ' in answer else b''
asks = {
    'tcp': lambda: said(socket.AF_INET, socket.SOCK_STREAM, (to[0], int(to[1])), b'GET / HTTP/1.0\\r\\n\\r\\n'),
    'udp': lambda: said(socket.AF_INET, socket.SOCK_DGRAM, (to[0], int(to[1])), b'hello'),
    'unix': lambda: said(socket.AF_UNIX, socket.SOCK_STREAM, to[0], b'hello\\n'),
    'abstract': lambda: said(socket.AF_UNIX, socket.SOCK_STREAM, '\\0' + to[0], b'hello\\n'),
    'proxy': lambda: by_proxy(f'CONNECT {to[0]} HTTP/1.1\\r\\nhost: x\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n'.encode()),
    'page': lambda: by_proxy(f'GET {to[0]} HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'.encode()),
}
print(asks[kind]().decode(), end='')
`

/**
 * What a package leaves in its install, for those that look at it, start it or remove it later: words of a shell, in the
 * folder of the install. `$0` is a folder of the machine. Nothing of it may hang the runner, or change that folder.
 */
export const traps: Readonly<Record<string, string>> = {
  'a link to a folder of the machine': 'ln -s $0 out',
  'a link to itself': 'ln -s loop loop',
  'a pipe that nobody writes to': 'mkfifo pipe',
  'a socket': 'python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'sock\')"',
  'a name that is no text': 'touch "$(printf \'a\\\\377b\')"',
  'a name with lines and colours': 'touch "$(printf \'a\\\\n\\\\033[31mb\')"',
  'a folder that nobody may enter': 'mkdir shut && touch shut/file && chmod 0 shut',
  'folders in folders': "python3 -c \"import os\nfor _ in range(300): os.mkdir('d'); os.chdir('d')\"",
  'its program as a link out of the install': 'ln -sf $0/path/tool "$BIN/tiny"',
  'its program as a link to a device': 'ln -sf /dev/zero "$BIN/tiny"',
  'its program as a pipe': 'rm "$BIN/tiny"; mkfifo "$BIN/tiny"',
  'its program as a folder': 'rm "$BIN/tiny"; mkdir "$BIN/tiny"',
  'its folder of programs as a link': 'rm -r "$BIN"; ln -s $0/path "$BIN"',
  'its folder of programs as a file': 'rm -r "$BIN"; touch "$BIN"',
  'its temporary folder as a link': 'rm -r ../tmp; ln -s $0 ../tmp',
}
