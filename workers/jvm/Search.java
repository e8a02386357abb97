import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import sizeup.Kit;
import sizeup.Kit.Setting;
import sizeup.Kit.WrongAnswer;

/** Queries to an index that all threads share. Documents and queries are always the same, whatever the seed: some queries are dearer than others. */
final class Search implements Kit.Work {
  private static final int QUERIES = 16;
  private static final int MOST_HITS = 10;

  private final Packed.Searcher searcher;
  private final Object queries;
  private final byte[] expected;

  Search(Packed.Indexer indexer, Setting setting) throws Exception {
    Made made = Made.once(indexer, setting.integer("documents"));
    searcher = made.searcher;
    queries = searcher.prepare(made.queries);
    expected = made.expected;
  }

  @Override
  public Object op() throws Exception {
    return searcher.search(queries, MOST_HITS);
  }

  @Override
  public byte[] output(Object found) {
    return written(searcher.hits(found));
  }

  /** For each query how many hits it has, and each hit's document and score. */
  private static byte[] written(List<List<Packed.Hit>> all) {
    ByteBuffer output = ByteBuffer.allocate(all.stream().mapToInt(hits -> 4 + 8 * hits.size()).sum());
    for (List<Packed.Hit> hits : all) {
      output.putInt(hits.size());
      for (Packed.Hit hit : hits) {
        output.putInt(hit.document()).putFloat(hit.score());
      }
    }
    return output.array();
  }

  @Override
  public void check(byte[] output) throws WrongAnswer {
    if (!Arrays.equals(output, expected)) {
      throw new WrongAnswer("documents and scores are not those that were found by scoring every document");
    }
  }

  /** The index of a number of documents, its queries and their answers. */
  private static final class Made {
    private static Made last;

    final Packed.Searcher searcher;
    final List<Packed.Query> queries;
    final byte[] expected;
    private final int documents;

    private Made(Packed.Indexer indexer, int documents) throws Exception {
      Texts texts = new Texts(documents);
      this.documents = documents;
      searcher = indexer.index(documents, texts::words);
      queries = texts.queries();
      expected = written(new Scores(texts).best(queries, MOST_HITS));
    }

    static synchronized Made once(Packed.Indexer indexer, int documents) throws Exception {
      if (last == null || last.documents != documents) {
        last = new Made(indexer, documents);
      }
      return last;
    }
  }

  /** Documents of random words, as frequent as words in a language are. */
  private static final class Texts {
    private static final long SEED = 2026;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 70;
    private static final int VOCABULARY = 100_000;
    /** Words to draw from: the one of rank r is there 1/r times as often as the first (Zipf). */
    private static final int DRAWS = 1 << 20;
    /** More frequent words are left out of most indexes; rarer ones are found in a moment. */
    private static final int FIRST_ASKED = 10;
    private static final int ASKED_DOUBLINGS = 10;
    private static final int[] WORDS = {1, 2, 2, 4};
    private static final int ALL = 1;

    private final int[] drawn = new int[DRAWS];
    private final int[][] documents;

    Texts(int count) {
      double sum = 0;
      for (int rank = 1; rank <= VOCABULARY; rank++) {
        sum += 1.0 / rank;
      }
      double below = 0;
      int rank = 0;
      for (int draw = 0; draw < DRAWS; draw++) {
        while (below < (draw + 0.5) * sum / DRAWS && rank < VOCABULARY) {
          rank++;
          below += 1.0 / rank;
        }
        drawn[draw] = rank;
      }
      SplittableRandom random = new SplittableRandom(SEED);
      documents = new int[count][];
      for (int document = 0; document < count; document++) {
        int[] words = new int[SHORTEST + random.nextInt(LONGEST - SHORTEST)];
        for (int at = 0; at < words.length; at++) {
          words[at] = drawn[random.nextInt(DRAWS)];
        }
        documents[document] = words;
      }
    }

    int[] words(int document) {
      return documents[document];
    }

    /** By turns one word, two that a document must have both, two of which it may have either, and four. */
    List<Packed.Query> queries() {
      SplittableRandom random = new SplittableRandom(SEED + 1);
      List<Packed.Query> queries = new ArrayList<>();
      for (int query = 0; query < QUERIES; query++) {
        Set<Integer> words = new LinkedHashSet<>();
        while (words.size() < WORDS[query % WORDS.length]) {
          // As many of each doubling of the rank.
          int least = FIRST_ASKED << random.nextInt(ASKED_DOUBLINGS);
          words.add(least + random.nextInt(least));
        }
        queries.add(new Packed.Query(words.stream().mapToInt(Integer::intValue).toArray(), query % WORDS.length == ALL));
      }
      return queries;
    }
  }

  /** BM25 of every document, by its formula: Robertson and Zaragoza, 2009, without the factor k1 + 1, as Lucene has it. */
  private static final class Scores {
    private static final float K1 = 1.2f;
    private static final float B = 0.75f;
    /** Lucene keeps so many bits of what a length has beyond this many words. */
    private static final int EXACT_LENGTHS = 24;
    private static final int LENGTH_BITS = 4;

    private final Texts texts;
    private final float averageLength;

    Scores(Texts texts) {
      this.texts = texts;
      long words = Arrays.stream(texts.documents).mapToLong(document -> document.length).sum();
      averageLength = (float) (words / (double) texts.documents.length);
    }

    List<List<Packed.Hit>> best(List<Packed.Query> queries, int most) {
      return queries.stream().map(query -> best(query, most)).toList();
    }

    private List<Packed.Hit> best(Packed.Query query, int most) {
      int[] words = query.words();
      byte[][] counts = Arrays.stream(words).mapToObj(this::counts).toArray(byte[][]::new);
      float[] weights = new float[words.length];
      for (int at = 0; at < words.length; at++) {
        int have = 0;
        for (byte count : counts[at]) {
          have += Math.min(count, 1);
        }
        weights[at] = (float) Math.log(1 + (texts.documents.length - have + 0.5) / (have + 0.5));
      }
      // Ascending: the best score first, of equal ones the first document.
      long[] ranked = new long[texts.documents.length];
      int hits = 0;
      for (int document = 0; document < ranked.length; document++) {
        int with = 0;
        for (byte[] count : counts) {
          with += Math.min(count[document], 1);
        }
        if (with == words.length || with > 0 && !query.all()) {
          int bits = Float.floatToIntBits(score(document, counts, weights));
          ranked[hits++] = (long) (Integer.MAX_VALUE - bits) << Integer.SIZE | document;
        }
      }
      Arrays.sort(ranked, 0, hits);
      return Arrays.stream(ranked, 0, Math.min(hits, most)).mapToObj(key -> {
        float score = Float.intBitsToFloat(Integer.MAX_VALUE - (int) (key >> Integer.SIZE));
        return new Packed.Hit((int) key, score);
      }).toList();
    }

    /** How often each document has a word. */
    private byte[] counts(int word) {
      byte[] counts = new byte[texts.documents.length];
      for (int document = 0; document < counts.length; document++) {
        for (int there : texts.documents[document]) {
          if (there == word) {
            counts[document]++;
          }
        }
      }
      return counts;
    }

    private float score(int document, byte[][] counts, float[] weights) {
      float norm = 1 / (K1 * ((1 - B) + B * kept(texts.documents[document].length) / averageLength));
      double sum = 0;
      for (int at = 0; at < weights.length; at++) {
        if (counts[at][document] > 0) {
          sum += weights[at] - weights[at] / (1 + counts[at][document] * norm);
        }
      }
      return (float) sum;
    }

    private static int kept(int length) {
      int more = length - EXACT_LENGTHS;
      int dropped = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(more, 0)) - LENGTH_BITS;
      return dropped <= 0 ? length : EXACT_LENGTHS + (more >> dropped << dropped);
    }
  }
}
