import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene's index in memory, of one segment, with its defaults for scores: BM25. */
public final class LuceneIndexer implements Packed.Indexer {
  private static final String FIELD = "text";
  private static final double BUFFER_MIB = 256;

  @Override
  public Packed.Searcher index(int documents, IntFunction<int[]> words) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    // One thread writes, and segments are merged in their order: a document's number is that in which it came.
    IndexWriterConfig config = new IndexWriterConfig(null)
        .setRAMBufferSizeMB(BUFFER_MIB)
        .setMergePolicy(new LogDocMergePolicy())
        .setMergeScheduler(new SerialMergeScheduler())
        .setUseCompoundFile(false);
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    Words text = new Words();
    Document document = new Document();
    document.add(new Field(FIELD, text, type));
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int number = 0; number < documents; number++) {
        text.words = words.apply(number);
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    return new Searcher(new IndexSearcher(DirectoryReader.open(directory)));
  }

  private static String text(int word) {
    return Integer.toString(word, Character.MAX_RADIX);
  }

  /** The words of a document, as numbers: no text is analysed. */
  private static final class Words extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private int[] words;
    private int at;

    @Override
    public void reset() {
      at = 0;
    }

    @Override
    public boolean incrementToken() {
      if (at == words.length) {
        return false;
      }
      clearAttributes();
      term.append(text(words[at++]));
      return true;
    }
  }

  private record Searcher(IndexSearcher index) implements Packed.Searcher {
    @Override
    public Object prepare(List<Packed.Query> queries) {
      return queries.stream().map(Searcher::query).toArray(org.apache.lucene.search.Query[]::new);
    }

    private static org.apache.lucene.search.Query query(Packed.Query query) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      for (int word : query.words()) {
        builder.add(new TermQuery(new Term(FIELD, text(word))), query.all() ? Occur.MUST : Occur.SHOULD);
      }
      return builder.build();
    }

    @Override
    public Object search(Object queries, int most) throws IOException {
      org.apache.lucene.search.Query[] all = (org.apache.lucene.search.Query[]) queries;
      TopDocs[] found = new TopDocs[all.length];
      for (int at = 0; at < all.length; at++) {
        found[at] = index.search(all[at], most);
      }
      return found;
    }

    @Override
    public List<List<Packed.Hit>> hits(Object found) {
      return Arrays.stream((TopDocs[]) found)
          .map(top -> Arrays.stream(top.scoreDocs).map(hit -> new Packed.Hit(hit.doc, hit.score)).toList())
          .toList();
    }
  }
}
