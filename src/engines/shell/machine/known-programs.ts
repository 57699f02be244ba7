/**
 * Programs that are there and that nobody computes: running one is a question to the world's model, never a
 * "command not found".
 *
 * `BASE_PROGRAMS` are on every Debian 12, whatever a world says; the others are there where a world does not say which
 * packages it has. A name that is computed is not laid again, and goes where a world's packages do not list it.
 */

/** What the required and important packages of Debian 12 bring. All lie in `/usr/bin`. */
export const BASE_PROGRAMS: readonly string[] = (
  'apt apt-get apt-cache apt-mark dpkg dpkg-query perl ps top free pgrep pkill pidof vmstat pmap sysctl watch w skill ' +
  'kill mount umount findmnt lsblk lscpu lsmem dmesg su login passwd chsh chfn newgrp useradd usermod userdel groupadd ' +
  'groupmod groupdel chpasswd getent more which whereis rev column cal hexdump logger ionice taskset flock script ' +
  'systemctl journalctl hostnamectl timedatectl loginctl udevadm ip ss ping less lessecho nano crontab bzip2 bunzip2 ' +
  'bzcat xz unxz xzcat tic infocmp ldd ldconfig iconv localedef run-parts tempfile savelog killall fuser whiptail'
).split(' ');

/** What people expect beyond it. All lie in `/usr/bin`. */
export const KNOWN_PROGRAMS: readonly string[] = (
  'aptitude git python3 python pip pip3 node npm npx yarn pnpm ruby gem php java javac go tree file jq bc dc xxd zip unzip ' +
  'pstree man envsubst uuidgen strings lsof ' +
  'cargo rustc gcc g++ cc make cmake gdb strace ltrace vim vi emacs curl wget ssh scp sftp rsync ssh-keygen openssl ' +
  'gpg docker docker-compose kubectl helm terraform aws psql mysql sqlite3 redis-cli mongosh nginx ' +
  'ifconfig netstat traceroute dig nslookup host nc tcpdump iptables htop tmux screen ffmpeg ' +
  'convert pandoc latex pdflatex at sudo ' +
  'fdisk mkfs blkid locale-gen update-alternatives shellcheck black pytest mypy ruff tsc eslint'
).split(' ');
