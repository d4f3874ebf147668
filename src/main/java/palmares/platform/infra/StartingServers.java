package palmares.platform.infra;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.infra.EmbeddedInfra.EmbeddedSettings;

/** Starts the embedded servers on another thread, and stops them with the application. */
final class StartingServers implements DisposableBean {
  private static final Duration MAX_WAIT_FOR_COMMANDS = Duration.ofSeconds(60);

  private final CompletableFuture<EmbeddedServers> servers;

  StartingServers(EmbeddedSettings settings) {
    var thread = new SimpleAsyncTaskExecutor("embedded servers ");
    servers = CompletableFuture.supplyAsync(() -> start(settings), thread);
  }

  private static EmbeddedServers start(EmbeddedSettings settings) {
    Path data = Path.of(settings.data());
    boolean isServer = settings.purpose().equals(EmbeddedServers.SERVER);
    return EmbeddedServers.own(
        data, settings.purpose(), isServer ? Duration.ZERO : MAX_WAIT_FOR_COMMANDS);
  }

  /**
   * Waits until the servers run.
   *
   * @throws palmares.platform.embedded.ServersUnavailable if they do not start
   */
  EmbeddedServers await() {
    try {
      return servers.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public void destroy() {
    servers.handle((started, failure) -> started).thenAccept(StartingServers::close).join();
  }

  private static void close(@Nullable EmbeddedServers started) {
    if (started != null) {
      started.close();
    }
  }
}
