import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Jackson as a server has it, one for all threads. */
public final class JacksonJson implements Packed.Json {
  /** With its defaults, but that all characters are written as UTF-8, as other libraries write them. */
  private final ObjectMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  @Override
  public Object parse(byte[] document) throws IOException {
    return mapper.readTree(document);
  }

  @Override
  public byte[] write(Object tree) throws IOException {
    return mapper.writeValueAsBytes((JsonNode) tree);
  }
}
