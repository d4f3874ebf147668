package palmares.api.document;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Reads the Javadoc of types and methods from their sources, as Markdown. */
final class Javadocs {
  /**
   * @param parameters by name; those of a record are its components
   */
  record Doc(String firstSentence, String rest, Map<String, String> parameters) {
    static final Doc NONE = new Doc("", "", Map.of());
  }

  private final Map<String, Doc> docs = new HashMap<>();

  Javadocs(Path sources) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (Stream<Path> all = Files.walk(sources);
        var files = compiler.getStandardFileManager(null, null, null)) {
      List<Path> java = all.filter(file -> file.toString().endsWith(".java")).toList();
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(java));
      DocTrees trees = DocTrees.instance(task);
      task.parse().forEach(unit -> new Scanner(trees, unit).scan(unit, null));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  Doc of(Class<?> type) {
    return docs.getOrDefault(type.getCanonicalName(), Doc.NONE);
  }

  /** The methods of a resource have different names. */
  Doc of(Class<?> type, String method) {
    return docs.getOrDefault(type.getCanonicalName() + "#" + method, Doc.NONE);
  }

  private final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees trees;
    private String type;

    Scanner(DocTrees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.type = String.valueOf(unit.getPackageName());
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
      String outer = type;
      type = outer + "." + tree.getSimpleName();
      keep(type);
      super.visitClass(tree, nothing);
      type = outer;
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void nothing) {
      keep(type + "#" + tree.getName());
      return null;
    }

    private void keep(String name) {
      DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
      if (comment != null) {
        docs.put(
            name,
            new Doc(
                markdown(comment.getFirstSentence()),
                markdown(comment.getBody()),
                comment.getBlockTags().stream()
                    .filter(ParamTree.class::isInstance)
                    .map(ParamTree.class::cast)
                    .collect(
                        Collectors.toMap(
                            tag -> tag.getName().toString(),
                            tag -> markdown(tag.getDescription()),
                            (one, other) -> one))));
      }
    }
  }

  private static String markdown(List<? extends DocTree> trees) {
    return trees.stream()
        .map(DocTree::toString)
        .collect(Collectors.joining())
        .replaceAll("\\s*<p>\\s*", "\n\n")
        .replaceAll("(?<!\n)\n(?!\n)\\s*", " ")
        .replaceAll("\\{@(?:code|literal) ([^}]*)}", "`$1`")
        .replaceAll("\\{@link(?:plain)? (?:[^}]*[#.])?([^}]*)}", "`$1`")
        .strip();
  }
}
