import java.util.Scanner;
import java.util.regex.Pattern;

/** No JSON library: expressions are enough for what the host writes. */
public class Tea {
  static String part(String pattern, String line) {
    var found = Pattern.compile(pattern).matcher(line);
    return found.find() ? found.group(1) : "";
  }

  public static void main(String[] args) throws InterruptedException {
    var in = new Scanner(System.in, "UTF-8");
    for (int n = 0; in.hasNextLine(); ) {
      String line = in.nextLine(), id = part("\"id\":(\"[^\"]*\"|\\d+)", line);
      String method = part("\"method\":\"([\\w/]+)\"", line), tool = part("\"name\":\"(\\w+)\"", line);
      String a = part("\"a\":([-\\d.]+)", line), b = part("\"b\":([-\\d.]+)", line);
      if (id.isEmpty()) continue;
      if (tool.equals("sleep")) Thread.sleep(60_000);
      String answer =
          method.equals("describe")
              ? "\"result\":{\"name\":\"tea\",\"tools\":[{\"name\":\"add\"},{\"name\":\"count\"},{\"name\":\"sleep\"}]}"
              : !method.equals("call")
                  ? "\"error\":{\"code\":-32601,\"message\":\"no such method\"}"
                  : tool.equals("count")
                      ? "\"result\":{\"output\":{\"n\":" + ++n + "}}"
                      : a.isEmpty()
                          ? "\"result\":{\"success\":false,\"error\":\"a is missing\"}"
                          : "\"result\":{\"output\":{\"sum\":" + (Long.parseLong(a) + Long.parseLong(b)) + "}}";
      System.out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + answer + "}");
    }
  }
}
