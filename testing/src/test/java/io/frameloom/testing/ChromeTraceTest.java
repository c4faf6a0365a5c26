package io.frameloom.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces that the document of their format does not allow, or that viewers show wrongly, are refused. */
class ChromeTraceTest {
    private static final List<String> GOOD = List.of(
            "{'ph':'M','pid':1,'tid':0,'name':'process_name','args':{'name':'CPU'}}",
            "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'GAME'}}",
            "{'ph':'X','pid':1,'tid':1,'name':'outer','cat':'task','ts':1.0,'dur':9.0,'args':{}}",
            "{'ph':'X','pid':1,'tid':1,'name':'inner','cat':'task','ts':2.0,'dur':3.0,'args':{}}",
            "{'ph':'s','pid':1,'tid':1,'name':'after','cat':'after','id':1,'ts':2.5}",
            "{'ph':'f','pid':1,'tid':1,'name':'after','cat':'after','id':1,'ts':6.0,'bp':'e'}",
            "{'ph':'C','pid':1,'tid':0,'name':'memory','ts':3.0,'args':{'bytes':5}}",
            "{'ph':'i','pid':1,'tid':0,'name':'frame 0','ts':1.0,'s':'g'}");

    private static String json(List<String> events) {
        return ("{'displayTimeUnit':'ms','traceEvents':[" + String.join(",", events)
                        + "],'otherData':{'droppedSpans':0}}")
                .replace('\'', '"');
    }

    @Test
    void aTraceIsRead() {
        ChromeTrace trace = ChromeTrace.of(json(GOOD));
        assertThat(trace.spans()).extracting(ChromeTrace.Span::around).containsExactly("", "outer");
        assertThat(trace.arrows()).extracting(ChromeTrace.Arrow::names).containsExactly("inner -> outer");
        assertThat(trace.counters()).containsKey("CPU/memory");
        assertThat(trace.markers()).containsExactly("frame 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ts':2.0,'dur':3.0 | 'ts':2.0,'dur':9.0 | nests",
                "'ts':2.0,'dur':3.0 | 'ts':2.0,'dur':-1 | before it begins",
                "'ts':2.5 | 'ts':7.5 | back in time",
                "'ts':6.0,'bp' | 'ts':60,'bp' | in no span",
                "'id':1,'ts':2.5 | 'id':2,'ts':2.5 | two ends",
                "'bp':'e' | 'bp':'x' | ends in the span",
                "'pid':1,'tid':1,'name':'after','cat':'after','id':1,'ts':2.5 | 'pid':2,'tid':1,'name':'after','cat':'after','id':1,'ts':2.5 | is of a row",
                "'bytes':5 | 'bytes':'5' | no number",
                "{'bytes':5} | {} | has values",
                "'ph':'C','pid':1 | 'ph':'C','pid':2 | process with a name",
                "'ph':'i','pid':1 | 'ph':'i','pid':2 | process with a name",
                "'s':'g' | 's':'t' | is global",
                "'ph':'X','pid':1,'tid':1,'name':'inner' | 'ph':'X','pid':1,'tid':2,'name':'inner' | row has a name",
                "'ph':'i' | 'ph':'b' | known phase",
                "'displayTimeUnit':'ms' | 'displayTimeUnit':'s' | has a unit",
                "'otherData' | 'more' | is known"
            })
    void whatTheFormatDoesNotAllowIsRefused(String part, String wrong, String why) {
        String good = json(GOOD);
        String bad = good.replace(part.replace('\'', '"'), wrong.replace('\'', '"'));
        assertThat(bad).isNotEqualTo(good);
        assertThatThrownBy(() -> ChromeTrace.of(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(why);
    }

    @Test
    void anIdOrANameThatIsUsedTwiceIsRefused() {
        assertThatThrownBy(() -> ChromeTrace.of(json(List.of(GOOD.get(0), GOOD.get(0)))))
                .hasMessageContaining("process has one name");
        assertThatThrownBy(() -> ChromeTrace.of(json(List.of(GOOD.get(0), GOOD.get(1), GOOD.get(1)))))
                .hasMessageContaining("numbers of their own");
        assertThatThrownBy(() -> ChromeTrace.of(json(List.of(GOOD.get(4), GOOD.get(4)))))
                .hasMessageContaining("id is used once");
    }
}
