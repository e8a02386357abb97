import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ops of json-parse-api/jackson and json-encode-api/jackson without sizeup. usage: java JacksonLoop parse|encode DOCUMENT < NANOSECONDS_OF_EACH_SAMPLE */
public final class JacksonLoop {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();
    byte[] document = Files.readAllBytes(Path.of(arguments[1]));
    JsonNode tree = mapper.readTree(document);
    if (arguments[0].equals("parse")) {
      Samples.take(() -> mapper.readTree(document));
    } else {
      Samples.take(() -> mapper.writeValueAsBytes(tree));
    }
  }
}
