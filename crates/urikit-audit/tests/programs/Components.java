import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

/**
 * Reads each line of standard input with java.net.URI. Prints `refused`, or the components
 * separated by tabs, raw and decoded, in the order of `line` below. Input and output are UTF-8 in
 * which a backslash, a line feed, a carriage return and a tab are written as in Java's strings; a
 * null component is `\0`. If a line contains two references, separated by a tab, the program
 * resolves the second against the first and reads the string of the result. Run as
 * `java Components.java`.
 */
public class Components {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        var line = new StringBuilder();
        for (String input = in.readLine(); input != null; input = in.readLine()) {
            line.setLength(0);
            read(input.split("\t", -1), line);
            out.append(line).append('\n');
            if (!in.ready()) {
                out.flush();
            }
        }
        out.flush();
    }

    private static void read(String[] texts, StringBuilder line) {
        URI uri;
        try {
            uri = new URI(unescape(texts[0]));
            if (texts.length > 1) {
                uri = new URI(uri.resolve(new URI(unescape(texts[1]))).toString());
            }
        } catch (URISyntaxException | NumberFormatException error) {
            line.append("refused");
            return;
        }
        line.append(uri.isOpaque() ? "opaque" : "hierarchical");
        field(line, uri.getScheme());
        field(line, uri.getRawSchemeSpecificPart());
        field(line, uri.getSchemeSpecificPart());
        field(line, uri.getRawAuthority());
        field(line, uri.getAuthority());
        field(line, uri.getRawUserInfo());
        field(line, uri.getUserInfo());
        field(line, uri.getHost());
        field(line, Integer.toString(uri.getPort()));
        field(line, uri.getRawPath());
        field(line, uri.getPath());
        field(line, uri.getRawQuery());
        field(line, uri.getQuery());
        field(line, uri.getRawFragment());
        field(line, uri.getFragment());
    }

    private static void field(StringBuilder line, String text) {
        line.append('\t');
        if (text == null) {
            line.append("\\0");
            return;
        }
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> line.append(c);
            }
        }
    }

    private static String unescape(String text) {
        var plain = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && ++at < text.length()) {
                c = switch (text.charAt(at)) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    default -> text.charAt(at);
                };
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
