import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** The op of search-zipf/lucene without sizeup: documents as texts, through an analyser. usage: java LuceneLoop < NANOSECONDS_OF_EACH_SAMPLE */
public final class LuceneLoop {
  private static final int DOCUMENTS = 200_000;
  private static final int RANKS = 100_000;
  private static final int DRAWS = 1 << 20;
  private static final int[] WORDS = {1, 2, 2, 4};

  private static String word(int rank) {
    return Integer.toString(rank, Character.MAX_RADIX);
  }

  public static void main(String[] arguments) throws Exception {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    FieldType type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      int[] drawn = drawn();
      SplittableRandom random = new SplittableRandom(2026);
      for (int number = 0; number < DOCUMENTS; number++) {
        StringBuilder text = new StringBuilder();
        for (int left = 10 + random.nextInt(60); left > 0; left--) {
          text.append(word(drawn[random.nextInt(DRAWS)])).append(' ');
        }
        Document document = new Document();
        document.add(new Field("text", text.toString(), type));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    IndexSearcher index = new IndexSearcher(DirectoryReader.open(directory));
    List<Query> queries = queries();
    Samples.take(() -> {
      List<Object> found = new ArrayList<>();
      for (Query query : queries) {
        found.add(index.search(query, 10));
      }
      return found;
    });
  }

  private static int[] drawn() {
    double sum = 0;
    for (int rank = 1; rank <= RANKS; rank++) {
      sum += 1.0 / rank;
    }
    int[] drawn = new int[DRAWS];
    double below = 0;
    int rank = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      while (below < (draw + 0.5) * sum / DRAWS && rank < RANKS) {
        rank++;
        below += 1.0 / rank;
      }
      drawn[draw] = rank;
    }
    return drawn;
  }

  private static List<Query> queries() {
    SplittableRandom random = new SplittableRandom(2027);
    List<Query> queries = new ArrayList<>();
    for (int at = 0; at < 16; at++) {
      Set<Integer> words = new LinkedHashSet<>();
      while (words.size() < WORDS[at % 4]) {
        int least = 10 << random.nextInt(10);
        words.add(least + random.nextInt(least));
      }
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      for (int word : words) {
        query.add(new TermQuery(new Term("text", word(word))), at % 4 == 1 ? Occur.MUST : Occur.SHOULD);
      }
      queries.add(query.build());
    }
    return queries;
  }
}
