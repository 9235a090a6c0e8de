# The lines in README.md and docs/ use these functions: curl (7.76 or newer) with the address of the service before the path. Read them with `.`
# into any POSIX shell. Each one shows why the service or curl refuses a request, and then returns 1.
#   BASE_URL       the address of the service
#   STEPPE_TOKEN   a token, where the service requires one; it is sent in a header, and never stands in an address
BASE_URL=${BASE_URL:-http://127.0.0.1:8080}

# request PATH [OPTION OF CURL]... sends a request and prints the answer.
request() {
  if [ -n "${STEPPE_TOKEN-}" ]; then
    curl -sS --fail-with-body -H "Authorization: Bearer $STEPPE_TOKEN" "$BASE_URL/$@"
  else
    curl -sS --fail-with-body "$BASE_URL/$@"
  fi
}

# ask PATH [OPTION OF CURL]... shows the answer.
ask() {
  ANSWER=$(request "$@") && printf '%s\n' "$ANSWER" && return
  printf '%s\n' "${ANSWER:-Nothing from $BASE_URL. The service runs after: npm start}" >&2
  return 1
}

# new PATH [OPTION OF CURL]... shows the id of what it made.
new() {
  ANSWER=$(ask "$@") || return
  case $ANSWER in
    '{"id":"'*) printf '%s\n' "$ANSWER" | sed 's/^{"id":"\([^"]*\)".*/\1/' ;;
    *) echo "$BASE_URL does not answer as Steppe does: $ANSWER" >&2 && return 1 ;;
  esac
}

# category CODE NAME shows the id of the category with this code, and makes it first where there is none.
category() {
  FOUND=$(ask categories) || return
  FOUND=$(printf '%s\n' "$FOUND" | sed -n 's/.*"id":"\([^"]*\)",[^{]*"code":"'"$1"'".*/\1/p')
  if [ -n "$FOUND" ]; then printf '%s\n' "$FOUND"; else new categories -d '{"code":"'"$1"'","name":"'"$2"'"}'; fi
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

# save FILE PATH downloads into a file. What the service still makes (202) is asked for again, for ten minutes at most.
save() {
  mkdir -p "$(dirname "$1")" || return
  TRIES=0
  while [ $((TRIES += 1)) -le 600 ]; do
    if ! STATUS=$(request "$2" --compressed -o "$1" -w '%{http_code}'); then
      cat "$1" >&2
      echo >&2
      break
    fi
    [ "$STATUS" != 202 ] && return
    sleep 1
  done
  [ "$STATUS" != 202 ] || echo "$2 is still being made" >&2
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
