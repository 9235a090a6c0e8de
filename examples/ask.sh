# What the lines in README.md and docs/tutorial.md use: curl (7.76 or newer), with the address of the service before the path. For any POSIX shell,
# to be read with `.`; each function shows what the service or curl has against a request, and gives 1 then.
BASE=${BASE:-http://127.0.0.1:8080}

# ask PATH [OPTION OF CURL]... shows the answer.
ask() {
  ANSWER=$(curl -sS --fail-with-body "$BASE/$@") && printf '%s\n' "$ANSWER" && return
  printf '%s\n' "${ANSWER:-Nothing from $BASE. The service runs after: npm start}" >&2
  return 1
}

# new PATH [OPTION OF CURL]... shows the id of what it made.
new() {
  ANSWER=$(ask "$@") || return
  case $ANSWER in
    '{"id":"'*) printf '%s\n' "$ANSWER" | sed 's/^{"id":"\([^"]*\)".*/\1/' ;;
    *) echo "$BASE does not answer as Steppe does: $ANSWER" >&2 && return 1 ;;
  esac
}

# settled PATH waits until a dataset or a run has come to its end, five minutes at most, and shows the answer.
settled() {
  TRIES=0
  while [ $((TRIES += 1)) -le 600 ]; do
    ANSWER=$(ask "$1") || return
    case $(printf '%s\n' "$ANSWER" | sed 's/^{"id":"[^"]*","status":"\([a-z_]*\)".*/\1/') in
      ready | awaiting_mapping | succeeded) printf '%s\n' "$ANSWER" && return ;;
      failed) break ;;
    esac
    sleep 0.5
  done
  echo "$1 failed: $ANSWER" >&2
  return 1
}

# save FILE PATH downloads into a file.
save() {
  mkdir -p "$(dirname "$1")" && curl -sS --compressed --fail-with-body -o "$1" "$BASE/$2" && return
  cat "$1" >&2
  rm -f "$1"
  return 1
}

# draw FILE PATH writes a page with the map of a dataset or a group, which a browser opens from the disk.
draw() {
  ANSWER=$(ask "$2/tilejson.json") && mkdir -p "$(dirname "$1")" || return
  while IFS= read -r LINE; do
    case $LINE in
      *'<!-- TileJSON -->')
        printf '<script>const tileJson = %s</script>\n' "$(printf '%s\n' "$ANSWER" | sed 's/</\\u003c/g')" ;;
      *) printf '%s\n' "$LINE" ;;
    esac
  done < examples/map.html > "$1"
}
