package palmares.bench.write;

/**
 * What the load generator is to send.
 *
 * @param path of the server, with its leading slash
 * @param clients how many send at a time, each its next request when it has the last answer
 * @param crowd whose deeds they are
 * @param first the number of the first of them
 * @param events how many there are; a multiple of {@code batch}
 * @param batch how many a request brings; 1 for single events
 */
record Volley(String path, int clients, Crowd crowd, long first, int events, int batch) {

  int requests() {
    return events / batch;
  }

  /** Request {@code number} of the volley, as JSON: an object, or an array of several. */
  String body(int number) {
    if (batch == 1) {
      return crowd.deed(first + number).json();
    }
    var array = new StringBuilder("[");
    long from = first + (long) number * batch;
    for (long at = from; at < from + batch; at++) {
      array.append(at == from ? "" : ",").append(crowd.deed(at).json());
    }
    return array.append(']').toString();
  }
}
