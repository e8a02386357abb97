import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import sizeup.Kit;
import sizeup.Kit.Setting;
import sizeup.Kit.Unavailable;

/**
 * Libraries of the apps pack, which are opened at run time: a build does not have them. Their calls are in workers/jvm/packed,
 * which release/language-libraries compiles into the pack; all else, and every check, is in the worker.
 */
public final class Packed {
  /** Documents to trees and back. */
  public interface Json {
    Object parse(byte[] document) throws Exception;

    byte[] write(Object tree) throws Exception;
  }

  /** Makes an index of as many documents, by the words that each has, and gets ready to ask it. */
  public interface Indexer {
    Searcher index(int documents, IntFunction<int[]> words) throws Exception;
  }

  /** An index, which any number of threads may ask. */
  public interface Searcher {
    /** Queries in the form in which the library takes them. */
    Object prepare(List<Query> queries);

    /** The hits of each query, the best first. */
    Object search(Object queries, int most) throws Exception;

    List<List<Hit>> hits(Object found);
  }

  /** Documents that have any of some words, or all of them. */
  public record Query(int[] words, boolean all) {}

  public record Hit(int document, float score) {}

  /** A library: its name, the class that calls it, and its files, of which the first is named by its version. */
  public enum Library {
    JACKSON("jackson", "JacksonJson", "jackson-databind-2.23.0", "jackson-core-2.23.0", "jackson-annotations-2.23"),
    LUCENE("lucene", "LuceneIndexer", "lucene-core-9.12.3");

    private final String title;
    private final String caller;
    private final List<String> jars;

    Library(String title, String caller, String... jars) {
      this.title = title;
      this.caller = caller;
      this.jars = List.of(jars);
    }

    private String version() {
      String first = jars.get(0);
      return first.substring(first.lastIndexOf('-') + 1);
    }

    private List<File> files() throws Unavailable {
      String folder = System.getenv(VARIABLE);
      if (folder == null || folder.isEmpty()) {
        throw unavailable(VARIABLE + " names no apps pack");
      }
      List<File> files = new ArrayList<>();
      for (String jar : jars) {
        files.add(file(folder, jar));
      }
      files.add(file(folder, CALLERS));
      return files;
    }

    private File file(String folder, String jar) throws Unavailable {
      String path = FOLDER + jar + ".jar";
      File file = new File(folder, path);
      if (!file.isFile()) {
        throw unavailable(VARIABLE + " has no " + path);
      }
      return file;
    }

    private Unavailable unavailable(String why) {
      return new Unavailable(title + ": " + why
          + "; make the apps pack of this version of sizeup (`make apps`), and name its folder for this architecture in SIZEUP_APPS");
    }
  }

  private static final String VARIABLE = "SIZEUP_APPS";
  private static final String FOLDER = "usr/share/java/";
  private static final String CALLERS = "sizeup-packed";

  private Packed() {}

  /** The libraries that are there, name to version. */
  public static Map<String, String> versions(String machine) {
    Map<String, String> versions = new TreeMap<>();
    for (Library library : Library.values()) {
      try {
        library.files();
        versions.put(library.title, library.version() + " on " + machine);
      } catch (Unavailable notHere) {
        // Its rows say so.
      }
    }
    return versions;
  }

  /** A maker of works over a library. */
  public static <T> Kit.Maker over(Library library, Class<T> kind, WorkMaker<T> maker) {
    return setting -> {
      try {
        return maker.make(load(library, kind), setting);
      } catch (LinkageError error) {
        throw library.unavailable("the pack's " + CALLERS + ".jar is of another version: " + error);
      }
    };
  }

  /** Makes a work over what was loaded. */
  public interface WorkMaker<T> {
    Kit.Work make(T library, Setting setting) throws Exception;
  }

  /** Once for all threads: each class loader would have, and compile, classes of its own. */
  private static final Map<Library, Object> LOADED = new TreeMap<>();

  // Closed, a loader would find no more classes.
  @SuppressWarnings("resource")
  private static <T> T load(Library library, Class<T> kind) throws Exception {
    synchronized (LOADED) {
      if (!LOADED.containsKey(library)) {
        List<URL> urls = new ArrayList<>();
        for (File file : library.files()) {
          urls.add(file.toURI().toURL());
        }
        ClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), Packed.class.getClassLoader());
        try {
          LOADED.put(library, loader.loadClass(library.caller).getDeclaredConstructor().newInstance());
        } catch (ClassNotFoundException error) {
          throw new NoClassDefFoundError(error.getMessage());
        }
      }
      if (!kind.isInstance(LOADED.get(library))) {
        throw new IncompatibleClassChangeError(library.caller + " is no " + kind.getSimpleName());
      }
      return kind.cast(LOADED.get(library));
    }
  }
}
