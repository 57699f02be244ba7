/**
 * Programs that people expect on a Debian and that nobody computes here: running one is a question to the world's model.
 *
 * Where a world says which packages it has, only those are there.
 */

/** Their names. All lie in `/usr/bin`. */
export const KNOWN_PROGRAMS: readonly string[] = (
  'apt apt-get apt-cache dpkg aptitude git python3 python pip pip3 node npm npx yarn pnpm ruby gem perl php java javac go ' +
  'cargo rustc gcc g++ cc make cmake gdb strace ltrace vim vi nano emacs curl wget ssh scp sftp rsync ssh-keygen openssl ' +
  'gpg docker docker-compose kubectl helm terraform aws psql mysql sqlite3 redis-cli mongosh nginx systemctl journalctl ' +
  'service ip ifconfig netstat ss ping traceroute dig nslookup host nc tcpdump iptables lsof htop tmux screen ffmpeg ' +
  'convert pandoc latex pdflatex crontab at sudo su useradd usermod userdel groupadd passwd chpasswd mount umount ' +
  'fdisk mkfs lsblk blkid dmesg sysctl locale-gen update-alternatives shellcheck black pytest mypy ruff tsc eslint'
).split(' ');
