package io.frameloom.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regular plurals of nouns. */
class PluralTest {
    @ParameterizedTest
    @CsvSource({
        "0,queue,0 queues",
        "1,pass,1 pass",
        "2,pass,2 passes",
        "2,batch,2 batches",
        "2,index,2 indexes",
        "1,memory,1 memory",
        "3,memory,3 memories",
        "3,array,3 arrays",
        "1000000,render pass,1000000 render passes",
    })
    void numbersAndNounsAgree(long count, String one, String words) {
        assertThat(Plural.of(count, one)).isEqualTo(words);
    }
}
