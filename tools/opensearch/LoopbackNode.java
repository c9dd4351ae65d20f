import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A single OpenSearch node on loopback with the k-NN plugin, on ports that are free.
 *
 * <p>It keeps everything below the folder that it is given, prints its URL as the first line of standard output when it
 * answers, and ends when standard input does: whoever started it holds the other end, so that it never outlives them.
 * Then it removes the folder.
 */
public final class LoopbackNode extends Node {
    private LoopbackNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class, KNNPlugin.class, ReindexPlugin.class), true);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Files.createDirectories(home.resolve("config"));
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("cluster.name", "anamnesis")
            .put("node.name", "loopback")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            // A full disk makes every index read-only, which is not what anything here is about.
            .put("cluster.routing.allocation.disk.threshold_enabled", "false")
            .build();
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "loopback");
        try (LoopbackNode node = new LoopbackNode(environment)) {
            node.start();
            HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
            System.out.println("http://127.0.0.1:" + http.boundAddress().publishAddress().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said on standard input; only its end counts.
            }
        }
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
        System.exit(0);
    }
}
