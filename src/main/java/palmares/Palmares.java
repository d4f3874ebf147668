package palmares;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication
public class Palmares {
  public static void main(String[] args) {
    SpringApplication.run(Palmares.class, args);
  }
}
