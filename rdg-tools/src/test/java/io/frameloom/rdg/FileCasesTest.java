package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Small graphs as files, each of one thing that a file means: every expectation is compared with what is printed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileCasesTest {
    @TestFactory
    Stream<DynamicTest> cases() throws IOException, URISyntaxException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : GraphFileCasesTest.files("/file-cases/added-01-external.json")) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            root.get("expect")
                    .properties()
                    .forEach(e -> tests.add(DynamicTest.dynamicTest(
                            root.get("id").asText() + " " + e.getKey(),
                            () -> GraphFileCasesTest.check(file, root, e.getKey()))));
        }
        assertThat(tests).hasSizeGreaterThan(10);
        return tests.stream();
    }
}
