# A session with the core of the official Java client, as Debian has it, by the recipe of the README.
set -eu
keytool -importcert -noprompt -alias calrules -file "$CERTIFICATE" -keystore "$HOME/calrules.p12" -storepass calrules
proxy=
[ -z "${HTTPS_PROXY-}" ] || proxy="-Dhttps.proxyHost=${ADDR%:*} -Dhttps.proxyPort=${ADDR##*:}"
# shellcheck disable=SC2086 # several arguments, or none
java $proxy -Djavax.net.ssl.trustStore="$HOME/calrules.p12" -Djavax.net.ssl.trustStorePassword=calrules -cp '/usr/share/java/*' clients/java/Session.java
