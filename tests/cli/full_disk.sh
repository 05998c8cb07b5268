#!/bin/sh
# A disk that becomes full: exit code 6, a message that says so, an older file stays, and no partial file.
#   tests/cli/full_disk.sh BIN_FOLDER
# Needs to mount a small tmpfs: as root, or in a namespace of its own; where neither is allowed, it says so.
set -u
PATH=$1:$PATH
if [ "${2:-}" != inside ]; then
  for way in "unshare --mount" "unshare --user --map-root-user --mount"; do
    if $way sh -c 'd=$(mktemp -d) && mount -t tmpfs -o size=64k none "$d" && umount "$d"; c=$?; rmdir "$d"; exit $c' \
        2>/dev/null; then
      exec $way sh "$0" "$1" inside
    fi
  done
  echo "skipped: no tmpfs can be mounted here"
  exit 77
fi

. "$(dirname "$0")/../scratch_folder.sh"
mount -t tmpfs -o size=1m none "$folder"
trap 'umount "$folder"; rmdir "$folder"' EXIT

# refused NAME command...: it fails for want of space, and nothing but the older file is there.
refused() {
  echo old >"$folder/$1"
  name=$1
  shift
  message=$("$@" 2>&1 >/dev/null)
  code=$?
  [ $code -eq 6 ] || fail "$name: exit code $code, expected 6"
  case $message in
    *"No space left on device"*) ;;
    *) fail "$name: the message is: $message" ;;
  esac
  [ "$(ls -A "$folder")" = "$name" ] || fail "$name: left behind: $(ls -A "$folder" | tr '\n' ' ')"
  [ "$(cat "$folder/$name")" = old ] || fail "$name: the older file is gone"
  rm -rf "${folder:?}/"* "$folder"/.[!.]*
}

long="--solver rodas5p --interval 1e-5"
for format in csv mat h5; do
  refused "a.$format" arges run C1 $long --out "$folder/a.$format"
done

# The journal of a study: what is done is kept, and --resume goes on from it.
sweep="arges sweep C1 -s kf=lin:0.1:0.2:300 --observe f@10 --out $folder/s.csv"
$sweep >/dev/null 2>&1 || fail "sweep: exit code $?"
mv "$folder/s.csv" "$folder/.whole.csv"
rm -f "$folder"/s.csv*
head -c $((1048576 - $(du -sb "$folder" | cut -f1) - 20000)) /dev/zero >"$folder/.fill"
message=$($sweep 2>&1 >/dev/null)
code=$?
[ $code -eq 6 ] || fail "sweep: exit code $code, expected 6"
case $message in
  *"No space left on device; free some space"*--resume*) ;;
  *) fail "sweep: the message is: $message" ;;
esac
rm "$folder/.fill"
$sweep --resume >/dev/null 2>&1 || fail "sweep --resume: exit code $?"
cmp "$folder/s.csv" "$folder/.whole.csv" || fail "sweep --resume: another result"
rm -rf "${folder:?}/"* "$folder"/.[!.]*

# Room for a few bytes only: pictures, event logs and reports.
fill() { head -c 1040000 /dev/zero >"$folder/.fill" 2>/dev/null; }
for command in "run C1 --solver rodas5p --plot $folder/x.png" "run C5 -p c2_2=-1.25 -p c4_2=4.33 -p lower=4.1 \
    --solver rodas5p --events $folder/x.jsonl" "benchmark C7 --report $folder"; do
  fill
  # shellcheck disable=SC2086
  message=$(arges $command 2>&1 >/dev/null)
  code=$?
  [ $code -eq 6 ] || fail "$command: exit code $code, expected 6"
  case $message in
    *"No space left on device"*) ;;
    *) fail "$command: the message is: $message" ;;
  esac
  ls -A "$folder" | grep -q partial && fail "$command: a partial file is left"
  rm -rf "${folder:?}/"* "$folder"/.[!.]*
done
exit $failed
