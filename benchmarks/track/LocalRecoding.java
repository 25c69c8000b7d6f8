// Local recoding by ARX, as a command: what benchmarks/track/beside_arx.py runs beside ours.
//
//   java -cp JAR:. LocalRecoding DATA DELIMITER HIERARCHIES K OUTPUT COLUMN...
//
// HIERARCHIES is a folder with one file `*_COLUMN.csv` per quasi column. Rows may be suppressed in a round and
// are recoded in later ones (loss without a preference for either, iterations until nothing is left to gain).

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

public class LocalRecoding {
    public static void main(String[] given) throws Exception {
        Data data = Data.create(new File(given[0]), StandardCharsets.UTF_8, given[1].charAt(0));
        DataHandle rows = data.getHandle();
        for (int column = 0; column < rows.getNumColumns(); column++) {
            data.getDefinition().setAttributeType(rows.getAttributeName(column), AttributeType.INSENSITIVE_ATTRIBUTE);
        }
        for (int place = 5; place < given.length; place++) {
            String ending = "_" + given[place] + ".csv";
            File[] found = new File(given[2]).listFiles((folder, name) -> name.endsWith(ending));
            data.getDefinition().setAttributeType(
                given[place], Hierarchy.create(found[0], StandardCharsets.UTF_8, ';'));
        }
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(Integer.parseInt(given[3])));
        configuration.setSuppressionLimit(1d);
        configuration.setQualityModel(Metric.createLossMetric(0d));
        ARXResult result = new ARXAnonymizer().anonymize(data, configuration);
        DataHandle output = result.getOutput(false);
        if (result.isOptimizable(output)) {
            result.optimizeIterativeFast(output, 0.01d);
        }
        output.save(new File(given[4]), ',');
    }
}
