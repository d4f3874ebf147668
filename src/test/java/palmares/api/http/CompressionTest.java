package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.testing.WorldTest;

/** Long answers are compressed, but pages, whose sizes would give their CSRF tokens away, not. */
@WorldTest
class CompressionTest {
  private static final int SHORTEST_COMPRESSED = 2048;

  @LocalServerPort private int port;

  @Test
  void jsonIsCompressed() throws IOException, InterruptedException {
    assertThat(get("/api/v1/openapi.json").headers().allValues("Content-Encoding"))
        .containsExactly("gzip");
  }

  @Test
  void pagesAreNot() throws IOException, InterruptedException {
    HttpResponse<byte[]> page = get("/console/sign-in");
    assertThat(page.body()).hasSizeGreaterThan(SHORTEST_COMPRESSED);
    assertThat(page.headers().allValues("Content-Encoding")).isEmpty();
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("Accept-Encoding", "gzip")
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
  }
}
